"""Settings that make no sense are refused at the start, in one sentence that names the setting and never its value."""

from pathlib import Path

import pytest

from livery.app import check_settings
from livery.core.settings import SettingsError, load_settings
from tests.support.server_process import run_command, server_environment

REFUSED = {
    ("database_url", "mysql://u:hidden@host/db"): "LIVERY_DATABASE_URL must start with postgresql:// or sqlite://.",
    ("storage_url", "http://bucket.example.com"): "LIVERY_STORAGE_URL must be like file:///folder or s3://bucket/prefix.",
    ("storage_url", "blobs"): "LIVERY_STORAGE_URL must be like file:///folder or s3://bucket/prefix.",
    ("public_url", "javascript:alert(1)"): "LIVERY_PUBLIC_URL must be an address like https://livery.example.com.",
    ("public_url", "https://livery.example.com:port"): "LIVERY_PUBLIC_URL must be an address like https://livery.example.com.",
    ("terms_url", "javascript:alert(1)"): "LIVERY_TERMS_URL must be an address like https://livery.example.com.",
    ("secret_key", "x"): "LIVERY_SECRET_KEY must have at least 16 characters.",
    ("port", "70000"): "LIVERY_PORT is wrong: Input should be less than or equal to 65535.",
    ("log_level", "loud"): "LIVERY_LOG_LEVEL is wrong: Input should be 'debug', 'info', 'warning' or 'error'.",
    ("smtp_url", "http://mail.example.com"): "LIVERY_SMTP_URL must be like smtp://user:password@host:587 or smtps://user:password@host:465.",
    ("oidc_client_id", "livery"): "LIVERY_OIDC_CLIENT_ID needs LIVERY_OIDC_ISSUER.",
    ("oidc_client_secret", "hush"): "LIVERY_OIDC_CLIENT_SECRET needs LIVERY_OIDC_ISSUER.",
    ("oidc_domains", "example.com"): "LIVERY_OIDC_DOMAINS needs LIVERY_OIDC_ISSUER.",
    ("oidc_issuer", "https://id.example.com"): "LIVERY_OIDC_ISSUER needs LIVERY_OIDC_CLIENT_ID.",
    ("trusted_proxies", "proxy"): "LIVERY_TRUSTED_PROXIES has 'proxy', which is neither an address nor a network such as 10.0.0.0/8.",
}  # fmt: skip
ACCEPTED = {
    "database_url": ["", "postgres://u@host/db", "postgresql://u@host/db", "sqlite:///x.db"],
    "storage_url": ["", "file:///srv/blobs", "s3://bucket/prefix"],
    "public_url": ["", "http://localhost:8000", "https://livery.example.com/"],
    "trusted_proxies": ["", "127.0.0.1", "10.0.0.0/8, ::1"],
}


def refusal(name: str, value: str, folder: Path) -> str:
    return refusal_of({name: value}, folder)


def refusal_of(values: dict[str, str], folder: Path) -> str:
    try:
        check_settings(load_settings(data_dir=folder, billing="off", **values))
    except SettingsError as error:
        return str(error)
    return ""


def test_an_invalid_setting_is_refused_in_a_single_sentence(tmp_path: Path) -> None:
    found = {(name, value): refusal(name, value, tmp_path) for name, value in REFUSED}
    assert found == REFUSED


def test_a_valid_setting_is_accepted(tmp_path: Path) -> None:
    refused = {
        (name, value): message
        for name, values in ACCEPTED.items()
        for value in values
        if (message := refusal(name, value, tmp_path))
    }
    assert refused == {}


_ISSUER = "LIVERY_OIDC_ISSUER must be an address like https://login.example.com, without ? and #."
_PLAIN = (
    "LIVERY_OIDC_ISSUER must start with https://. LIVERY_OIDC_ALLOW_PRIVATE=true permits http:// in a private network."
)
_CLIENT = "LIVERY_OIDC_CLIENT_ID has a space or a character that no client id has."
_NAME = "LIVERY_OIDC_NAME must have 1 to 40 printable characters."
SINGLE_SIGN_ON: list[tuple[dict[str, str], str]] = [
    ({}, ""),
    ({"oidc_issuer": "https://id.example.com/realms/acme"}, ""),
    ({"oidc_issuer": "https://id.example.com/"}, ""),
    ({"oidc_domains": " Example.COM, acme.co.uk ,"}, ""),
    ({"oidc_issuer": "http://localhost:8080", "oidc_allow_private": "true"}, ""),
    ({"oidc_issuer": "id.example.com"}, _ISSUER),
    ({"oidc_issuer": "ftp://id.example.com"}, _ISSUER),
    ({"oidc_issuer": "https://"}, _ISSUER),
    ({"oidc_issuer": "https://id.example.com:port"}, _ISSUER),
    ({"oidc_issuer": "https://id.example.com/?a=b"}, _ISSUER),
    ({"oidc_issuer": "https://id.example.com/#a"}, _ISSUER),
    ({"oidc_issuer": "https://user:hidden@id.example.com"}, _ISSUER),
    ({"oidc_issuer": "https://id.example.com/a b"}, _ISSUER),
    ({"oidc_issuer": "http://id.example.com"}, _PLAIN),
    ({"oidc_issuer": "http://localhost:8080"}, _PLAIN),
    ({"oidc_client_id": "a b"}, _CLIENT),
    ({"oidc_name": " "}, _NAME),
    ({"oidc_name": "x" * 41}, _NAME),
    ({"oidc_name": "a\u202eb"}, _NAME),
    (
        {"oidc_domains": "*.example.com"},
        "LIVERY_OIDC_DOMAINS has '*.example.com', which is no domain such as example.com.",
    ),
    (
        {"oidc_domains": "@example.com"},
        "LIVERY_OIDC_DOMAINS has '@example.com', which is no domain such as example.com.",
    ),
    ({"oidc_domains": "example"}, "LIVERY_OIDC_DOMAINS has 'example', which is no domain such as example.com."),
    ({"oidc_domains": "a.com b.com"}, "LIVERY_OIDC_DOMAINS has 'a.com b.com', which is no domain such as example.com."),
]


@pytest.mark.parametrize(("values", "sentence"), SINGLE_SIGN_ON)
def test_settings_of_single_sign_on_fit_together(values: dict[str, str], sentence: str, tmp_path: Path) -> None:
    right = {"oidc_issuer": "https://id.example.com", "oidc_client_id": "livery"}
    assert refusal_of({**right, **values}, tmp_path) == sentence


@pytest.mark.parametrize("command", [["serve"], ["admin", "fsck"]])
def test_a_command_ends_with_the_sentence(command: list[str], tmp_path: Path) -> None:
    done = run_command(server_environment(tmp_path, secret_key="short"), *command)
    assert (done.returncode, done.stderr.strip()) == (1, "LIVERY_SECRET_KEY must have at least 16 characters.")


def test_the_data_folder_and_the_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder, database = tmp_path / "data", tmp_path / "data" / "livery.db"
    folder.mkdir(mode=0o755)
    database.touch(mode=0o644)
    assert run_command(server_environment(folder, log_level="error"), "demo").returncode == 0
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, database, *folder.glob("livery.db-*"))}
    assert modes == {name: 0o700 if name == "data" else 0o600 for name in modes}
    assert [path for path in folder.rglob("*") if path.stat().st_mode & 0o077] == []
