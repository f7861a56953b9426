"""Which provider a server has, by its settings; and the sentences that report what is wrong with them."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from livery.core import limits
from livery.core.settings import Settings, SettingsError

_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,500}")


@dataclass(frozen=True)
class Oidc:
    """The provider and this server as its client. ``domains`` are those of emails that must use it."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    domains: frozenset[str]
    allows_private: bool
    redirect_uri: str

    def speaks_for(self, email: str) -> bool:
        """Whether people with this canonical email must use the provider."""
        return email.rpartition("@")[2] in self.domains


def oidc_of(settings: Settings) -> Oidc | None:
    """Returns the provider of these settings; ``None`` without an issuer. Raises ``SettingsError``."""
    issuer, client_id = settings.oidc_issuer.strip(), settings.oidc_client_id.strip()
    secret, domains = settings.oidc_client_secret.get_secret_value().strip(), _domains(settings.oidc_domains)
    if not issuer:
        _refuse_without_issuer(client_id=client_id, client_secret=secret, domains=bool(domains))
        return None
    _check_issuer(issuer, allows_private=settings.oidc_allow_private)
    if not client_id:
        raise SettingsError("LIVERY_OIDC_ISSUER needs LIVERY_OIDC_CLIENT_ID.")
    if not _PRINTABLE.fullmatch(client_id):
        raise SettingsError("LIVERY_OIDC_CLIENT_ID has a space or a character that no client id has.")
    name = " ".join(settings.oidc_name.split())
    if not name.isprintable() or not 0 < len(name) <= limits.SSO_NAME_CHARACTERS:
        raise SettingsError(f"LIVERY_OIDC_NAME must have 1 to {limits.SSO_NAME_CHARACTERS} printable characters.")
    return Oidc(
        issuer=issuer,
        client_id=client_id,
        client_secret=secret,
        name=name,
        domains=domains,
        allows_private=settings.oidc_allow_private,
        redirect_uri=f"{settings.base_url}/api/auth/sso/callback",
    )


def forced_domains(settings: Settings) -> frozenset[str]:
    """Returns the domains of emails whose people must use single sign-on; empty without an issuer."""
    return _domains(settings.oidc_domains) if settings.oidc_issuer.strip() else frozenset()


def _refuse_without_issuer(*, client_id: str, client_secret: str, domains: bool) -> None:
    given = {
        "LIVERY_OIDC_CLIENT_ID": client_id,
        "LIVERY_OIDC_CLIENT_SECRET": client_secret,
        "LIVERY_OIDC_DOMAINS": domains,
    }
    for name, value in given.items():
        if value:
            raise SettingsError(f"{name} needs LIVERY_OIDC_ISSUER.")


def _check_issuer(issuer: str, *, allows_private: bool) -> None:
    try:
        parts = urlsplit(issuer)
        is_address = bool(parts.hostname) and parts.port != 0 and _PRINTABLE.fullmatch(issuer) is not None
    except ValueError:  # the port is not a number
        is_address, parts = False, urlsplit("")
    if not is_address or parts.scheme not in {"http", "https"} or parts.query or parts.fragment or parts.username:
        raise SettingsError("LIVERY_OIDC_ISSUER must be an address like https://login.example.com, without ? and #.")
    if parts.scheme == "http" and not allows_private:
        raise SettingsError(
            "LIVERY_OIDC_ISSUER must start with https://. LIVERY_OIDC_ALLOW_PRIVATE=true permits http:// in a private network."
        )


def _domains(text: str) -> frozenset[str]:
    domains = frozenset(filter(None, (part.strip().lower() for part in text.split(","))))
    for domain in sorted(domains):
        if len(domain) > 253 or not _DOMAIN.fullmatch(domain):
            raise SettingsError(f"LIVERY_OIDC_DOMAINS has {domain!r}, which is no domain such as example.com.")
    return domains
