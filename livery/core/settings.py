"""Every setting of the server, read once from the environment (prefix ``LIVERY_``)."""

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from livery.core import sqlite_files

SECRET_KEY_LENGTH = 16
EDGE_TOKEN_LENGTH = 32
_OWN_PATHS = frozenset({"api", "assets", "docs", "edge", "media", "sandbox-pay", "sdk", "storefront"})
"""How files and calls of the server begin. Below such a path, it is unclear whether a proxy has taken the path off."""
_PUBLIC_PATH = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?")
_DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite://", "sqlite+aiosqlite://")


class SettingsError(ValueError):
    """Settings that make no sense. The message is one sentence for the operator and names the setting."""


class Settings(BaseSettings):
    """The values of one running server. ``docs/settings.md`` documents each; a test compares the two."""

    model_config = SettingsConfigDict(env_prefix="LIVERY_", extra="ignore", frozen=True)

    data_dir: Path = Field(default=Path("data"), description="Where the database, mails and files are kept.")
    database_url: str = Field(default="", description="SQLAlchemy address; empty means SQLite in the data folder.")
    public_url: str = Field(default="", description="The address people use; empty means http://localhost:<port>.")
    secret_key: SecretStr = Field(default=SecretStr(""), description="Encrypts stored keys; made on first start.")
    storage_url: str = Field(default="", description="file:///folder or s3://bucket/prefix; empty means a data folder.")
    cdn_storage_url: str = Field(default="", description="s3://bucket/prefix that gets each release; empty: no copies.")
    cdn_url: str = Field(default="", description="Where apps read that bucket, such as https://cdn.example.com.")
    smtp_url: str = Field(default="", description="smtp://user:password@host:port; empty writes .eml files.")
    mail_from: str = Field(default="Livery <livery@localhost>", description="The sender of every mail.")
    registration: Literal["open", "invitation", "closed"] = Field(
        default="open", description="Who may create an account: anybody, invited people, or nobody."
    )
    billing: Literal["credits", "off"] = Field(default="credits", description="Whether plans are paid with credits.")
    payments: Literal["sandbox", "nowpayments", "btcpay"] = Field(
        default="sandbox", description="Who takes the payments for credits."
    )
    sandbox_public: bool = Field(default=False, description="Let the sandbox sell credits at a public address.")
    nowpayments_base_url: str = Field(default="https://api.nowpayments.io", description="The API of NOWPayments.")
    nowpayments_api_key: SecretStr = Field(default=SecretStr(""), description="The API key of NOWPayments.")
    nowpayments_ipn_secret: SecretStr = Field(default=SecretStr(""), description="Signs NOWPayments' notifications.")
    nowpayments_ipn_secret_previous: SecretStr = Field(default=SecretStr(""), description="The IPN secret before it.")
    nowpayments_email: str = Field(default="", description="The login that may list payments at NOWPayments.")
    nowpayments_password: SecretStr = Field(default=SecretStr(""), description="The password of that login.")
    btcpay_url: str = Field(default="", description="The address of the BTCPay Server.")
    btcpay_api_key: SecretStr = Field(default=SecretStr(""), description="The Greenfield API key of the store.")
    btcpay_store_id: str = Field(default="", description="The store that sells the credits.")
    btcpay_webhook_secret: SecretStr = Field(default=SecretStr(""), description="Signs BTCPay's notifications.")
    btcpay_webhook_secret_previous: SecretStr = Field(default=SecretStr(""), description="The secret before it.")
    expired_grace_days: int = Field(
        default=30, ge=0, le=3650, description="How long apps are served after their plan's end."
    )
    ai: Literal["pseudo", "openai", "anthropic", "deepl"] = Field(
        default="pseudo", description="Who translates and rephrases texts."
    )
    ai_base_url: str = Field(default="", description="The address of the AI service; empty means its own.")
    ai_api_key: SecretStr = Field(default=SecretStr(""), description="The API key of the AI service.")
    ai_model: str = Field(default="", description="The model that the AI service is asked to use.")
    ai_timeout_seconds: int = Field(default=60, ge=1, le=600, description="How long one call of AI may take.")
    ai_concurrency: int = Field(default=8, ge=1, le=100, description="How many calls of AI run at a time.")
    ai_daily_characters: int = Field(
        default=1_000_000, ge=0, description="What a project may send to AI in a day; 0 means no limit."
    )
    image_processes: int = Field(default=2, ge=1, le=64, description="How many images are processed at a time.")
    image_cache_mb: int = Field(default=1024, ge=1, description="What smaller forms of images may take on the disk.")
    keep_mails_days: int = Field(
        default=30, ge=1, le=3650, description="How long sent mails are on record, and .eml files are kept."
    )
    keep_activity_days: int = Field(
        default=730, ge=0, le=36500, description="How long the activity of projects is kept; 0 means for ever."
    )
    keep_audit_days: int = Field(
        default=365, ge=0, le=36500, description="How long the audit log is kept; 0 means for ever."
    )
    keep_deleted_projects_days: int = Field(
        default=30, ge=0, le=36500, description="How long a deleted project's releases are kept; 0 means for ever."
    )
    require_verified_login: bool = Field(default=True, description="Whether an unverified person may log in.")
    oidc_issuer: str = Field(default="", description="OpenID Connect provider of single sign-on; empty turns it off.")
    oidc_client_id: str = Field(default="", description="The name under which the provider knows this server.")
    oidc_client_secret: SecretStr = Field(default=SecretStr(""), description="The client's secret, if it has any.")
    oidc_name: str = Field(default="single sign-on", description="What the button of single sign-on is called.")
    oidc_domains: str = Field(default="", description="Domains of emails that must use it, parted by commas.")
    oidc_allow_private: bool = Field(default=False, description="Let the provider be at a private address.")
    rate_limits: Literal["on", "off"] = Field(default="on", description="Turn throttles off for load tests only.")
    analytics_url: str = Field(default="", description="Another service that gets page views; empty means no service.")
    terms_url: str = Field(default="", description="Where /terms leads; empty shows the built-in page.")
    privacy_url: str = Field(default="", description="Where /privacy leads; empty shows the built-in page.")
    metrics_token: SecretStr = Field(default=SecretStr(""), description="Bearer token of /metrics; empty closes it.")
    edge_token: SecretStr = Field(default=SecretStr(""), description="Opens this server for edges; an edge sends it.")
    edge_origin: str = Field(default="", description="The address that `livery edge` follows.")
    edge_offline_hours: int = Field(
        default=24, ge=0, le=87600, description="How long an edge admits known keys without its origin; 0 means always."
    )
    host: str = Field(default="127.0.0.1", description="The address the server listens on.")
    port: int = Field(default=8000, ge=0, le=65535, description="The port the server listens on.")
    workers: int = Field(default=1, ge=1, le=64, description="Processes of `livery serve` that share the port.")
    trusted_proxies: str = Field(
        default="", description="Addresses and networks of proxies whose X-Forwarded-For is believed, parted by commas."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="How much is logged.")

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, url: str) -> str:
        if url and not url.startswith(_DATABASES):
            raise ValueError("must start with postgresql:// or sqlite://.")
        return url

    @field_validator("storage_url")
    @classmethod
    def _check_storage_url(cls, url: str) -> str:
        if url and not url.startswith(("file:///", "s3://")):
            raise ValueError("must be like file:///folder or s3://bucket/prefix.")
        return url

    @field_validator("cdn_storage_url")
    @classmethod
    def _check_cdn_storage_url(cls, url: str) -> str:
        if url and (not url.startswith("s3://") or not urlsplit(url).netloc):
            raise ValueError("must be like s3://bucket/prefix.")
        return url

    @field_validator(
        "public_url", "cdn_url", "edge_origin", "terms_url", "privacy_url", "nowpayments_base_url", "btcpay_url"
    )
    @classmethod
    def _check_web_address(cls, url: str) -> str:
        if url and not _is_web_address(url):
            raise ValueError("must be an address like https://livery.example.com.")
        return url

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.query or parts.fragment or not _PUBLIC_PATH.fullmatch(parts.path):
            raise ValueError(
                "must be like https://livery.example.com, or below a path, like https://example.com/livery."
            )
        if (first := parts.path.split("/", 2)[1:2]) and first[0] in _OWN_PATHS:
            raise ValueError(f"must not be below a path that begins with /{first[0]}: Livery has such a path itself.")
        return url

    @field_validator("secret_key")
    @classmethod
    def _check_secret_key(cls, key: SecretStr) -> SecretStr:
        if 0 < len(key.get_secret_value()) < SECRET_KEY_LENGTH:
            raise ValueError(f"must have at least {SECRET_KEY_LENGTH} characters.")
        return key

    @field_validator("edge_token")
    @classmethod
    def _check_edge_token(cls, token: SecretStr) -> SecretStr:
        text = token.get_secret_value()
        if text and (len(text) < EDGE_TOKEN_LENGTH or not text.isascii() or not text.isprintable() or " " in text):
            raise ValueError(f"must have at least {EDGE_TOKEN_LENGTH} letters, digits and signs.")
        return token

    @property
    def resolved_database_url(self) -> str:
        """The database address with its async driver named."""
        if not self.database_url:
            return sqlite_files.address_of(self.data_dir / "livery.db")
        url = self.database_url
        for plain, driver in (
            ("postgresql://", "postgresql+psycopg://"),
            ("postgres://", "postgresql+psycopg://"),
            ("sqlite://", "sqlite+aiosqlite://"),
        ):
            if url.startswith(plain):
                return driver + url.removeprefix(plain)
        return url

    @property
    def base_url(self) -> str:
        """The public address without a slash at its end: links in mails start with it."""
        return (self.public_url or f"http://localhost:{self.port}").rstrip("/")

    @property
    def base_path(self) -> str:
        """The path of the public address without a slash at its end; empty at the root of the host."""
        return urlsplit(self.base_url).path

    @property
    def own_url(self) -> str:
        """Where this process reaches itself, past any proxy in front of it."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104  # read, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def outbox_dir(self) -> Path:
        """Where mails become ``.eml`` files while no mail server is set."""
        return self.data_dir / "outbox"


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is not a number
        return False


def load_settings(**overrides: object) -> Settings:
    """Reads the environment, makes the data folder (readable by its owner only), and makes the secret key on first start.

    Raises ``SettingsError``.
    """
    try:
        settings = Settings(**overrides)  # pyright: ignore[reportArgumentType]  # values are checked by pydantic
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from error
    return prepare_data_dir(settings)


def prepare_data_dir(settings: Settings) -> Settings:
    """Makes the data folder (readable by its owner only). Returns the settings with the secret key, which is made on first start."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    keep_private(settings.data_dir)
    if settings.secret_key.get_secret_value():
        return settings
    return settings.model_copy(update={"secret_key": SecretStr(_stored_secret(secret_file(settings.data_dir)))})


def keep_private(folder: Path) -> None:
    """Takes the data folder and the database files in it from everybody but their owner. A folder of somebody else stays as it is."""
    for path, mode in ((folder, 0o700), *((path, 0o600) for path in folder.glob("livery.db*"))):
        with suppress(OSError):  # somebody else's folder, or one that can only be read
            if path.stat().st_mode & 0o077:
                path.chmod(mode)


def _sentence(error: ValidationError) -> str:
    """Returns what is wrong with the first setting, without its value: that may be a secret."""
    problem = error.errors(include_url=False, include_input=False)[0]
    own = problem.get("ctx", {}).get("error") if problem["type"] == "value_error" else None
    message = str(own or f"is wrong: {problem['msg']}.")
    return f"LIVERY_{str(problem['loc'][0]).upper()} {message}"


def secret_file(data_dir: Path) -> Path:
    """Returns the path of the secret key that no setting names."""
    return data_dir / "secret.key"


def _stored_secret(path: Path) -> str:
    """Returns the kept secret. If two processes start at once, both use the secret that was written first."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        secret = secrets.token_urlsafe(48)
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret
