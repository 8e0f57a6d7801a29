"""The settings of a server; `setting_sources` reads them."""

from __future__ import annotations

import os
from hashlib import sha256
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from pitbook.errors import InputError
from pitbook.journal.running_checkpoint import SUFFIX
from pitbook.messages import Message, compose
from pitbook.server.addresses import LOOPBACK, Network, is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterator


def _network(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return ip_network(value.strip(), strict=False)
    except ValueError:
        raise InputError("settings.network") from None


def _origin(value: str) -> str:
    parts = urlsplit(value.strip())
    bare = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/")
    if not bare or parts.query or parts.fragment or "@" in parts.netloc:
        raise InputError("settings.origin")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _internal_address(value: str) -> str:
    """Return an IP address of a private network or the loopback with a port; raise an error for others."""
    host, found, port = value.strip().rpartition(":")
    if not value.strip():
        return ""
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        raise InputError("settings.address-and-port") from None
    if not found or not port.isdigit() or int(port) > 65_535:
        raise InputError("settings.address-and-port")
    if address.is_unspecified or address.is_multicast or not (address.is_private or address.is_loopback):
        raise InputError("settings.private-address")
    return f"{host}:{port}"


def _split_list(value: Any) -> Any:
    """Return a list given as one word, as in environment variables: a,b,c."""
    return tuple(word.strip() for word in value.split(",") if word.strip()) if isinstance(value, str) else value


OneNetwork = Annotated[Network, BeforeValidator(_network), PlainSerializer(str)]
Origin = Annotated[str, BeforeValidator(_origin)]
InternalAddress = Annotated[str, BeforeValidator(_internal_address)]
NetworkList = Annotated[tuple[OneNetwork, ...], BeforeValidator(_split_list)]
OriginList = Annotated[tuple[Origin, ...], BeforeValidator(_split_list)]
Seconds = Annotated[float, Field(gt=0, le=31_536_000, allow_inf_nan=False)]
Interval = Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)]
Rate = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


def data_home() -> Path:
    """Return the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "pitbook"


def config_home() -> Path:
    """Return the user's folder for keys and settings."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "pitbook"


class Settings(BaseModel):
    """Everything that can be set. Times are seconds, sizes are bytes; a rate of 0 is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path = Field(default_factory=data_home, description="the folder for the journal, if none is named")
    journal: str = Field(
        "", description="an SQLite file or a postgresql:// URL; default: pitbook.db in the data folder"
    )
    host: str = Field("127.0.0.1", min_length=1, description="the address to listen on")
    port: int = Field(8000, ge=0, le=65_535, description="the port to listen on; 0 picks a free one")
    books: Path | None = Field(None, description="a folder with the house's own books, as .toml files")
    demo: bool = Field(True, description="create a demo house in an empty journal")
    tls_certificate: Path | None = Field(None, description="the certificate chain for HTTPS")
    tls_key: Path | None = Field(None, description="the certificate's private key")
    trusted_proxies: NetworkList = Field((), description="proxies whose X-Forwarded-For and -Proto are trusted")
    public_origins: OriginList = Field((), description="origins at which browsers reach the house")
    passkey_domain: str = Field(
        "", max_length=253, description="the domain of passkeys; default: the host of the first of public_origins"
    )
    sealing_key: Path | None = Field(
        None, description="the key that seals seeds; default: sealing.key in the key folder"
    )
    signing_key: Path | None = Field(None, description="the key that signs checkpoints; default: checkpoint.key there")
    checkpoint_seconds: Interval = Field(1, description="how often the running checkpoint is written; 0 means never")
    checkpoint_copy: Path | None = Field(None, description="a folder for a copy of it, on another disk")
    backups: Path | None = Field(None, description="a folder for scheduled backups, one file per day")
    backup_seconds: Seconds = Field(3_600, description="how often new entries are added to the day's backup")
    backup_keep: int = Field(14, ge=1, le=10_000, description="how many days of backups are kept")
    webhook_networks: NetworkList = Field((), description="private networks that webhooks may be sent to")
    pseudonyms: bool = Field(
        False, description="record new people under random names; keep their names beside the journal"
    )
    session_idle: Seconds = Field(1_800, description="a session ends when idle for this long")
    session_absolute: Seconds = Field(43_200, description="a session ends after this time in any case")
    sign_in_rate: Rate = Field(10, description="sign-in attempts per minute and address")
    bet_rate: Rate = Field(20, description="bet requests per second and person")
    request_rate: Rate = Field(1_000, description="requests per second and address")
    body_max: int = Field(262_144, ge=1_024, le=67_108_864, description="the largest request body")
    body_seconds: Seconds = Field(10, description="time limit for receiving a request's head and body")
    in_flight_max: int = Field(1_000, ge=1, description="maximum number of concurrent requests")
    internal_address: InternalAddress = Field(
        "", description="host:port where other processes on the same database reach this one; default: loopback"
    )
    owner_lease: Annotated[float, Field(ge=0.1, le=6)] = Field(
        6, description="a process that doesn't renew its tables for this long loses them"
    )
    heartbeat: Seconds = Field(2, description="how often an idle stream sends a heartbeat")
    watchers_max: int = Field(10_000, ge=0, description="maximum number of open streams")
    watchers_per_address: int = Field(
        500, ge=1, description="maximum number of streams per address, not counting staff"
    )
    shutdown: Seconds = Field(10, description="how long a stop waits for requests in progress")
    clock_jump: Seconds = Field(30, description="a clock that is off by more has jumped and is not trusted")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="minimum log level")
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="auto means text on a terminal, otherwise JSON"
    )
    metrics: bool = Field(True, description="serve Prometheus metrics at /metrics")
    metrics_from: NetworkList = Field(LOOPBACK, description="networks that may read /metrics")
    force_insecure: bool = Field(False, description="allow other machines without TLS, or with a demo house")

    @property
    def journal_place(self) -> str:
        """The journal's file or URL; a symbolic link is resolved, since other files are beside the target."""
        place = self.journal or str(self.data / "pitbook.db")
        return os.path.realpath(place) if Path(place).is_symlink() else place

    @property
    def sealing_key_path(self) -> Path:
        """The key that seals seeds; never in the database."""
        return self.sealing_key or config_home() / "sealing.key"

    @property
    def signing_key_path(self) -> Path:
        """The key that signs checkpoints, which `pitbook checkpoint` uses as well."""
        return self.signing_key or config_home() / "checkpoint.key"

    @property
    def checkpoint_files(self) -> list[Path]:
        """The files of the running checkpoint: beside the journal or in the data folder, and the copy."""
        if self.journal_place.startswith(("postgresql://", "postgres://")):
            name = "postgresql-" + sha256(self.journal_place.encode()).hexdigest()[:12]
            first = self.data / (name + SUFFIX)
        else:
            first = Path(self.journal_place + SUFFIX)
        return [first] if self.checkpoint_copy is None else [first, self.checkpoint_copy / first.name]

    @property
    def tls(self) -> bool:
        """Whether the server speaks HTTPS itself."""
        return self.tls_certificate is not None

    @property
    def secure(self) -> bool:
        """Whether browsers reach the house by HTTPS, so that cookies may be marked secure."""
        return self.tls or (bool(self.public_origins) and all(one.startswith("https:") for one in self.public_origins))


def find_contradictions(settings: Settings) -> Iterator[tuple[tuple[str, ...], Message]]:
    """Yield settings that do not fit together, with the reason."""
    if (settings.tls_certificate is None) != (settings.tls_key is None):
        yield ("tls_certificate", "tls_key"), Message("errors.settings.certificate-alone")
    for name in ("tls_certificate", "tls_key"):
        path = getattr(settings, name)
        if path is not None and not path.is_file():
            yield (name,), compose("errors.settings.no-file", file=path)
    if settings.books is not None and not settings.books.is_dir():
        yield ("books",), compose("errors.settings.no-folder", folder=settings.books)
    if settings.checkpoint_copy is not None and not settings.checkpoint_copy.is_dir():
        yield ("checkpoint_copy",), compose("errors.settings.no-folder", folder=settings.checkpoint_copy)
    if settings.backups is not None and not settings.backups.is_dir():
        yield ("backups",), compose("errors.settings.no-folder", folder=settings.backups)
    if settings.passkey_domain:
        domain = settings.passkey_domain
        for host in [urlsplit(origin).hostname or "" for origin in settings.public_origins]:
            if not f".{host}".endswith(f".{domain}"):
                wrong = compose("errors.settings.passkey-domain", host=host, domain=domain)
                yield ("passkey_domain", "public_origins"), wrong
    if settings.session_idle > settings.session_absolute:
        yield ("session_idle", "session_absolute"), Message("errors.settings.idle")
    if settings.tls and any(origin.startswith("http:") for origin in settings.public_origins):
        yield ("public_origins", "tls_certificate"), Message("errors.settings.origins")
    if not settings.force_insecure:
        yield from _find_exposures(settings)


def is_reachable(settings: Settings) -> bool:
    """Return whether other machines can reach the server, directly or through a proxy."""
    abroad = any(not is_loopback(urlsplit(origin).hostname or "") for origin in settings.public_origins)
    return not is_loopback(settings.host) or abroad or bool(settings.trusted_proxies)


def _find_exposures(settings: Settings) -> Iterator[tuple[tuple[str, ...], Message]]:
    """Yield settings that would let strangers in or let them eavesdrop."""
    local = is_loopback(settings.host)
    if not local and not settings.tls and not settings.trusted_proxies:
        yield ("host",), compose("errors.settings.exposed", host=settings.host)
    if settings.demo and is_reachable(settings):
        by = "host" if not local else "public_origins" if settings.public_origins else "trusted_proxies"
        yield ("demo", by), Message("errors.settings.demo")
