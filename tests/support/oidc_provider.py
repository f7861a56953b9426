"""The real provider of ``oidc-provider.mjs`` as a process, and a person who logs in on its page."""

import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import httpx2

from tests.support.clients import NO_CERTIFICATES

SCRIPT = Path(__file__).with_name("oidc-provider.mjs")
CLIENT_ID, CLIENT_SECRET, PUBLIC_CLIENT_ID = "livery", "a+secret/with=signs and spaces", "livery-public"
ANSWER_SECONDS = 60.0
STOP_SECONDS = 30.0
_FORM = re.compile(r'<form[^>]* action="([^"]+)"')


@dataclass(frozen=True)
class OidcProvider:
    """A provider that is up."""

    issuer: str

    async def log_in(self, url: str, login: str) -> str:
        """Logs in on the provider's page as a browser without cookies does. Returns the address of Livery that it leads back to."""
        async with httpx2.AsyncClient(verify=NO_CERTIFICATES, timeout=ANSWER_SECONDS) as browser:
            while True:
                if not url.startswith(self.issuer):
                    return url
                page = await browser.get(url)
                if page.is_redirect:
                    url = urljoin(url, page.headers["location"])
                    continue
                form = _FORM.search(page.text)
                assert form, (page.status_code, page.text)
                fields = {"prompt": "login", "login": login, "password": "any"}
                answer = await browser.post(urljoin(url, unescape(form[1])), data=fields)
                url = urljoin(url, answer.headers["location"])


@contextmanager
def running_provider() -> Generator[OidcProvider]:
    """The provider on a free port. It ends with the block, and with this process."""
    process = subprocess.Popen(["node", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield OidcProvider(_issuer(process))
    finally:
        process.communicate(timeout=STOP_SECONDS)


def _issuer(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    said: list[str] = []
    for line in process.stdout:
        if line.startswith("issuer "):
            return line.split()[1]
        said.append(line)
    raise RuntimeError(f"the provider ended with {process.wait(STOP_SECONDS)}:\n{''.join(said)}")
