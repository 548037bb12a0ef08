"""The composition of a hub: the only module that knows the environment, the databases and the web server at once.

`compose` makes a hub of a configuration; `asgi` is the application for any server; `bazi_cli` calls both.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bazi_core.errors import PortUnavailable
from bazi_core.tables.sentences import Said
from bazi_hub.calls.hub import Hub
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.money.prices import DEFAULT_PRICES, FURTHER_PRICES
from bazi_hub.operate.composition import Composition
from bazi_hub.operate.config import (
    POSTGRES,
    SQLITE,
    Config,
    configured,
    database_address,
    secret_bytes,
)
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.people.passwords import Passwords
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.private_files import kept_secret, new_file
from bazi_hub.words.system import SystemClock, SystemIds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from bazi_core.model.port import AsyncReadingPort, ReadingReply, ReadingRequest
    from bazi_hub.http.app import Application
    from bazi_hub.people.supabase import Supabase
    from bazi_hub.ports import Clock, Ids, RateLimiter, Storage, Telemetry

READERS_GROUP = "bazi.readers"
DATABASE_NAME = "hub.sqlite3"
PEPPER, SESSION = "key_pepper", "session_secret"


def compose(config: Config, *, secrets: Secrets) -> Composition:
    """A hub on the stores that the configuration names. Nothing is opened before the first call."""
    from bazi_hub.http.telemetry import Metrics

    clock, ids, telemetry = SystemClock(), SystemIds(), Metrics(level=config.log_level)
    settings = config.settings()
    storage, limits = stores(config, clock, ids, telemetry)
    hub = Hub(
        settings,
        storage=storage,
        limits=limits,
        reader=reader_of(config),
        clock=clock,
        ids=ids,
        telemetry=telemetry,
    )
    identity = Identity(
        storage,
        secrets,
        clock=clock,
        ids=ids,
        telemetry=telemetry,
        cache_s=settings.key_cache_s,
        foreign=foreign_of(config, storage, secrets, clock),
    )
    return Composition(
        config, hub, identity, Passwords(most_waiting=settings.password_queue), limits, telemetry
    )


def database_of(config: Config) -> Path | str:
    """The file of the SQLite database, or the address of the PostgreSQL one."""
    if config.database_url is None:
        return data_directory() / DATABASE_NAME
    url = config.database_url.get_secret_value()
    scheme, sign, _ = url.partition("://")
    if not sign or scheme not in POSTGRES:
        return Path(url.removeprefix(SQLITE))
    _needed("psycopg", "postgres")
    return url


def _needed(module: str, extra: str) -> None:
    """`ConfigurationError` where an extra was not installed that the configuration calls for."""
    if find_spec(module) is None:
        raise ConfigurationError(f"this needs {module}: pip install 'bazi-core[{extra}]'")


def require_extras(config: Config) -> None:
    """Nothing, where every extra is installed that the configuration calls for; else `ConfigurationError`."""
    database_of(config)
    if config.supabase_cookie is not None:
        _needed("jwt", "supabase")


def stores(
    config: Config, clock: Clock, ids: Ids, telemetry: Telemetry, **options: Any
) -> tuple[Storage, RateLimiter]:
    """The database of the configuration, and where its limits are counted."""
    database, ttl_ms = database_of(config), config.settings().result_ttl_s * 1000
    if config.settings().toolset == "all":
        options = {"prices": (*DEFAULT_PRICES, *FURTHER_PRICES), **options}
    if isinstance(database, Path):
        from bazi_hub.store.sqlite.storage import SqliteStorage

        database.parent.mkdir(parents=True, exist_ok=True)
        own = SqliteStorage(database, clock, ids, result_ttl_ms=ttl_ms, telemetry=telemetry, **options)
        return own, MemoryLimits(clock)
    from bazi_hub.store.postgres.limits import PostgresLimits
    from bazi_hub.store.postgres.storage import PostgresStorage

    shared = PostgresStorage(database, clock, ids, result_ttl_ms=ttl_ms, telemetry=telemetry, **options)
    return shared, PostgresLimits(shared)


def data_directory() -> Path:
    """The directory of the database that no setting names."""
    from platformdirs import user_data_path

    return user_data_path("bazi", appauthor=False) / "hub"


def secrets_of(config: Config) -> Secrets:
    """The secrets of the configuration; `ConfigurationError` where one is missing."""
    stated = {name: _secret_of(config, name) for name in (PEPPER, SESSION, "key_pepper_old")}
    pepper, session = stated[PEPPER], stated[SESSION]
    if pepper is None or session is None:
        missing = " and ".join(
            f"BAZI_HUB_{name.upper()}" for name in (PEPPER, SESSION) if stated[name] is None
        )
        raise ConfigurationError(
            f"missing {missing}: set 32 random bytes in base64 each (openssl rand -base64 32), "
            "or use `bazi serve --dev` to try the hub"
        )
    return Secrets(pepper, session, stated["key_pepper_old"])


def _secret_of(config: Config, name: str) -> bytes | None:
    stated = getattr(config, name)
    return None if stated is None else secret_bytes(name.upper(), stated.get_secret_value())


def dev_secrets(config: Config, ids: Ids) -> Secrets:
    """The secrets of the configuration; what is missing stands in files beside the database that only its owner reads."""
    directory = _secrets_directory(config)
    pepper, session = (
        _secret_of(config, name) or _content_of(directory / name, ids.secret(32))
        for name in (PEPPER, SESSION)
    )
    return Secrets(pepper, session)


def kept_secrets(config: Config) -> Secrets | None:
    """The secrets that `--dev` left beside the database, where none are stated."""
    files = [_secrets_directory(config) / name for name in (PEPPER, SESSION)]
    if config.key_pepper is not None or not all(file.exists() for file in files):
        return None
    pepper, session = (kept_secret(file) for file in files)
    return Secrets(pepper, session)


def _secrets_directory(config: Config) -> Path:
    database = database_of(config)
    return database.parent if isinstance(database, Path) else data_directory()


def _content_of(path: Path, fresh: bytes) -> bytes:
    """The content of a file; where there is none, it is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        made = new_file(path)
    except FileExistsError:
        return kept_secret(path)
    with made:
        made.write(fresh)
    return fresh


def reader_of(config: Config) -> AsyncReadingPort | None:
    """The reader; None is the rule narrator. A reader that lacks its settings answers with CONFIG_ERROR."""
    if config.reader == "narrator":
        return None
    if config.reader == "openai":
        return _openai(config)
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=READERS_GROUP, name=config.reader)), None)
    if found is None:
        raise ConfigurationError(f"BAZI_HUB_READER={config.reader}: no such reader is installed")
    reader: AsyncReadingPort = found.load()()
    return reader


def _openai(config: Config) -> AsyncReadingPort:
    from bazi_core.model.openai_compatible import AsyncOpenAICompatible, Settings

    if not (config.llm_base_url and config.llm_model):
        return Unconfigured()
    key = config.llm_api_key.get_secret_value() if config.llm_api_key else ""
    return AsyncOpenAICompatible(Settings(config.llm_base_url, config.llm_model, key))


class Unconfigured:
    """A reader that was chosen and lacks its settings; the hub asks before it calls."""

    name, configured = "openai", False

    async def generate(self, request: ReadingRequest) -> ReadingReply:
        raise PortUnavailable(Said("reader_unset"), reason="unconfigured")


def foreign_of(config: Config, storage: Storage, secrets: Secrets, clock: Clock) -> Supabase | None:
    """The verifier of Supabase's cookies; None where none is configured, `ConfigurationError` where only a part is."""
    if config.supabase_cookie is None:
        return None
    require_extras(config)
    from bazi_hub.people.supabase import KeySet, Secret, Supabase

    secret, url = config.supabase_secret, config.supabase_jwks_url
    if not config.supabase_issuer:
        raise ConfigurationError("BAZI_HUB_SUPABASE_COOKIE needs BAZI_HUB_SUPABASE_ISSUER")
    if (secret is None) == (url is None):
        raise ConfigurationError(
            "BAZI_HUB_SUPABASE_COOKIE needs one of BAZI_HUB_SUPABASE_SECRET and BAZI_HUB_SUPABASE_JWKS_URL"
        )
    settings = config.settings()
    return Supabase(
        config.supabase_cookie,
        config.supabase_issuer,
        config.supabase_audience,
        Secret(secret.get_secret_value()) if secret is not None else KeySet.at(str(url), clock),
        starter=settings.starter_credits,
        closed=settings.signup == "closed",
        storage=storage,
        secrets=secrets,
        clock=clock,
    )


def asgi(config: Config | None = None, environment: Mapping[str, str] | None = None) -> Application:
    """The hub as an ASGI application, configured by the environment unless a configuration is given."""
    config = configured(environment) if config is None else config
    return application(compose(config, secrets=secrets_of(config)))


@asynccontextmanager
async def lifespan(app: Application) -> AsyncIterator[None]:
    """Starts and closes a mounted hub with the application around it, which sends a mounted one no events."""
    await app.hub.start()
    try:
        yield
    finally:
        await app.hub.close()


def application(composed: Composition) -> Application:
    """The application of a composition, pages included."""
    from bazi_hub.http.app import create_app
    from bazi_hub.http.runs import run_routes
    from bazi_hub.pages import pages

    monitor = monitor_of(composed)
    return create_app(
        composed.hub,
        composed.identity,
        routes=[*run_routes(composed.hub, composed.identity), *pages(composed, monitor=monitor)],
        monitor=monitor,
    )


def monitor_of(composed: Composition) -> Any:
    """The metrics and readiness checks of the operator's endpoints."""
    from bazi_hub.http.operations import Monitor

    token = composed.config.metrics_token
    return Monitor(
        composed.telemetry.exposition,
        token.get_secret_value() if token else None,
        {"reader": composed.reader_is_configured},
        composed.telemetry.figures,
    )


def with_database(config: Config, path: str | None) -> Config:
    """The configuration with another database, where one is named."""
    from pydantic import SecretStr

    if not path:
        return config
    try:
        return config.model_copy(update={"database_url": database_address(SecretStr(path))})
    except ValueError as error:
        raise ConfigurationError(f"database: {error}") from None


def migrate(config: Config) -> None:
    """Brings the tables of the configured database to their newest version."""

    async def nothing_more(storage: Any) -> None:
        return

    _with_storage(config, nothing_more)


def restore(config: Config, directory: str) -> list[dict[str, Any]]:
    """Fills an empty database with what `export` wrote; what `verify` finds wrong afterwards."""
    from bazi_hub.store.backup import import_from

    async def imported(storage: Any) -> list[Any]:
        return await import_from(storage.database, Path(directory))

    # Prices are never overwritten, and those of the export come with it.
    return [finding._asdict() for finding in _with_storage(config, imported, prices=())]


def export(config: Config, directory: str, with_keys: bool) -> dict[str, int]:
    """Writes every table into a directory, beside a server that runs; rows by table."""
    from bazi_hub.store.backup import export_tables

    written = _reading(config, lambda db: export_tables(db, Path(directory), with_keys))
    return {name: table["rows"] for name, table in written["tables"].items()}


def verify(config: Config) -> list[dict[str, Any]]:
    """The findings of `verify`, read beside a server that runs."""
    from bazi_hub.store.sql.verify import verify as findings

    return [finding._asdict() for finding in _reading(config, findings)]


def _with_storage(config: Config, work: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
    """The result of a work on the opened database; a file is locked against other processes meanwhile."""
    import asyncio

    from bazi_hub.words.system import NoTelemetry

    async def done() -> Any:
        storage, _ = stores(config, SystemClock(), SystemIds(), NoTelemetry(), **options)
        await storage.open()
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(done())


def _reading(config: Config, work: Callable[[Any], Any]) -> Any:
    """The result of a work that only reads, in one state of the database."""
    database = database_of(config)
    if isinstance(database, Path):
        from bazi_hub.store.sqlite.database import reading

        if not database.exists():
            raise ConfigurationError(Said("no_database", database=database))
        with reading(database) as file:
            return work(file)
    from sqlalchemy import create_engine

    from bazi_hub.store.sql.database import faults

    url = "postgresql+psycopg://" + database.partition("://")[2]
    with faults(OSError), create_engine(url, isolation_level="REPEATABLE READ").connect() as db:
        return work(db)
