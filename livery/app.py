"""Builds the application of one process: delivery first, then the dashboard API, then the dashboard itself. The only file that knows every router."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from fastapi import FastAPI
from starlette.datastructures import State
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from livery import __version__
from livery.accounts import routes as accounts_routes
from livery.accounts import second_factor_routes, sso_routes
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.accounts.oidc.configuration import oidc_of
from livery.ai import routes as ai_routes
from livery.ai.providers.choice import check_ai
from livery.analytics import routes as analytics_routes
from livery.analytics.counter import PageViews
from livery.analytics.forwarding import Forwarder, parse_target
from livery.archives import routes as archives_routes
from livery.billing import routes as billing_routes
from livery.billing.providers.choice import check_payments
from livery.billing.sandbox import routes as sandbox_routes
from livery.cdn.addresses import check_cdn
from livery.colors import routes as colors_routes
from livery.core import health, site
from livery.core.context import Context, open_context
from livery.core.db import Database
from livery.core.etags import Tagged
from livery.core.events import Bus
from livery.core.http import ErrorView, Measure, SafeHeaders, StrictJson, https_only, render_errors
from livery.core.jobs import Sweeper
from livery.core.lifespan import Follower, beside, live
from livery.core.lists import Lists
from livery.core.metrics import Metrics
from livery.core.proxies import Proxies
from livery.core.reference import routes as reference
from livery.core.reference.statuses import complete
from livery.core.settings import Settings
from livery.core.siblings import Siblings
from livery.delivery.asgi import PREFIX, DeliveryApp
from livery.delivery.quotas import Quotas
from livery.delivery.served import Served
from livery.edge.api import EdgeApi
from livery.edge.wire import PREFIX as EDGE_PREFIX
from livery.email.mailers import open_mailer
from livery.exports import routes as exports_routes
from livery.history import routes as history_routes
from livery.images import routes as images_routes
from livery.images.darkroom import Darkroom
from livery.images.media import MEDIA_PREFIX
from livery.imports import routes as imports_routes
from livery.live import routes as live_routes
from livery.live.hub import Hub
from livery.previews import routes as previews_routes
from livery.projects import routes as projects_routes
from livery.projects import token_routes
from livery.publishing import routes as publishing_routes
from livery.schedules import routes as schedules_routes
from livery.screens import routes as screens_routes
from livery.sdks import routes as sdks_routes
from livery.search import routes as search_routes
from livery.stores import routes as stores_routes
from livery.usage.meter import Meter
from livery.workspace import audit_routes, login_routes
from livery.workspace import routes as workspace_routes
from livery.workspace.callers import open_drafts, resolver
from livery.workspace.edges import ServerSupply
from livery.workspace.media import Media

log = structlog.get_logger()

ROUTERS = (
    accounts_routes.router,
    second_factor_routes.router,
    sso_routes.router,
    login_routes.router,
    workspace_routes.router,
    audit_routes.router,
    billing_routes.router,
    billing_routes.payments_router,
    projects_routes.router,
    token_routes.router,
    publishing_routes.router,
    previews_routes.router,
    history_routes.router,
    schedules_routes.router,
    search_routes.router,  # before screens: its last word would be the name of a screen
    screens_routes.router,
    colors_routes.router,
    stores_routes.router,
    images_routes.router,
    imports_routes.router,
    exports_routes.router,
    archives_routes.router,
    sdks_routes.router,
    ai_routes.router,
    analytics_routes.router,
    live_routes.router,
)


def create_api(settings: Settings | None) -> FastAPI:
    """Makes the dashboard API, with the routes of these settings. Without settings the API can only describe itself.

    The routes read what they need of a process from ``api.state``, which ``create_app`` sets.
    """
    api = FastAPI(
        title="Livery",
        version=__version__,
        description="Change the text, colours, images and data of running apps, without a rebuild.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        responses={422: {"model": ErrorView, "description": "A field is invalid."}},
    )
    if settings:
        api.include_router(health.router)  # first: FastAPI prepares all routes before the route that a request finds
    for router in ROUTERS:
        api.include_router(router)
    render_errors(api)
    complete(api)
    if settings:
        reference.add_routes(api)
        api.include_router(workspace_routes.storefront_router)
        if settings.billing == "credits" and settings.payments == "sandbox":
            api.include_router(sandbox_routes.router)
        pages = {"/terms": settings.terms_url, "/privacy": settings.privacy_url}
        site.add_routes(api, moved={path: url for path, url in pages.items() if url})
    return api


@dataclass(frozen=True)
class LastingParts:
    """What a caller that builds many applications in turn opens once and closes itself.

    Matching routes and compiling statements for the first time takes ten times as long as later. The routes are those of ``create_api``
    with the same settings.
    """

    api: FastAPI
    database: Database
    bus: Bus
    darkroom: Darkroom
    lists: Lists


@dataclass
class Application:
    """An ASGI application that dispatches delivery and images before anything else."""

    context: Context
    api: ASGIApp
    delivery: DeliveryApp
    media: Media
    darkroom: Darkroom
    live: Hub
    edges: EdgeApi
    meter: Meter
    key_uses: KeyUses
    failed_logins: FailedLogins
    page_views: PageViews
    forwarder: Forwarder
    metrics: Metrics
    sweeper: Sweeper | None = None
    siblings: Siblings | None = None
    """The other workers of the command, whose numbers the metrics have, too."""
    closes_parts: bool = True
    is_https: bool = False
    """Whether people and apps reach the server by https."""
    base_path: str = ""
    """The path below which people and apps reach the server. A proxy may take it off, or leave it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or run the life of the process."""
        if scope["type"] == "http":
            if self.is_https:
                send = https_only(send)
            if self.base_path:
                scope = _without_base(scope, self.base_path)
            if scope["path"].startswith(PREFIX):
                await self.delivery(scope, receive, send)
            elif scope["path"].startswith(EDGE_PREFIX):
                await self.edges(scope, receive, send)
            elif scope["path"].startswith(MEDIA_PREFIX):
                await self.media.app(scope, receive, send)
            else:
                await self.api(scope, receive, send)
        elif scope["type"] == "lifespan":
            await live(self.running(), receive, send)

    def close_streams(self) -> None:
        """End every open stream with ``bye``. Idempotent."""
        self.delivery.close()
        self.live.close()
        self.edges.hub.close()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Everything that runs beside the requests: the bus, delivery's followers, background work."""
        await self.delivery.start()
        self.context.bus.subscribe(self.delivery.notice)
        self.context.bus.subscribe(self.media.notice)
        self.context.bus.subscribe(self.live.notice)
        self.context.bus.subscribe(self.edges.hub.notice)
        followers: list[Follower] = [self.context.bus, self.delivery, self.live, self.edges.hub]
        if self.sweeper:
            self.context.bus.subscribe(self.sweeper.wake)
            followers.append(self.sweeper)
        if self.siblings:
            followers.append(self.siblings)
        try:
            async with beside(*followers, before_end=self.close_streams):
                yield
        finally:
            await self.media.variants.close()
            await self.context.lists.end()
            for flush in (self.meter.flush, self.key_uses.flush, self.failed_logins.flush, self.page_views.flush):
                with suppress(Exception):  # a database that is away must not keep the process from ending
                    await flush(self.context.database)
            with suppress(Exception):
                await self.live.forget()
            if self.closes_parts:
                await self.darkroom.close()
                await self.context.database.close()


def _without_base(scope: Scope, base_path: str) -> Scope:
    """Returns the request as a proxy would pass it that takes ``base_path`` off. ``raw_path`` stays as it was sent: no part reads it."""
    path: str = scope["path"]
    if path != base_path and not path.startswith(f"{base_path}/"):
        return scope
    return {**scope, "path": path.removeprefix(base_path) or "/"}


def check_settings(settings: Settings) -> None:
    """Raises ``SettingsError`` when the settings can't work together: such a server must not start."""
    check_payments(settings)
    check_ai(settings)
    oidc_of(settings)
    parse_target(settings.analytics_url)
    open_mailer(settings)
    Proxies(settings.trusted_proxies)
    check_cdn(settings)


def create_app(settings: Settings, lasting: LastingParts | None = None) -> Application:
    """Builds the application of one process, on ``lasting`` parts or on its own. Raises ``SettingsError``.

    The database must be migrated before the application starts.
    """
    check_settings(settings)
    services = (lasting.database, lasting.bus, lasting.lists) if lasting else (None, None, None)
    context = open_context(settings, *services)
    meter, key_uses, quotas = Meter(), KeyUses(), Quotas()
    failed_logins, page_views = FailedLogins(), PageViews()
    supply = ServerSupply(context, meter, key_uses)
    delivery = DeliveryApp(
        supply,
        resolver(context, meter, key_uses, quotas),
        meter.count,
        has_rate_limits=settings.rate_limits == "on",
        quotas=quotas,
        drafts=open_drafts(context),
        served=Served(settings.data_dir / "served"),
    )
    context.database.until_served = delivery.until_served
    darkroom = lasting.darkroom if lasting else Darkroom(settings.image_processes)
    media = Media(context, darkroom, meter, quotas)
    live = Hub(context.database, context.bus)
    edges = EdgeApi(supply, settings.edge_token.get_secret_value(), has_rate_limits=settings.rate_limits == "on")
    metrics = open_metrics(context, delivery, live)
    metrics.gauge("livery_edges_following", "Streams that edges hold open.", lambda: edges.hub.open_streams)
    forwarder = Forwarder(parse_target(settings.analytics_url), settings.base_url)
    api = lasting.api if lasting else create_api(settings)
    parts = {"context": context, "metrics": metrics, "meter": meter, "failed_logins": failed_logins}
    api.state = State(parts | {"page_views": page_views, "forwarder": forwarder, "live": live, "darkroom": darkroom})
    return Application(
        context,
        surround(api, metrics, base_path=settings.base_path),
        delivery,
        media,
        darkroom,
        live,
        edges,
        meter=meter,
        key_uses=key_uses,
        failed_logins=failed_logins,
        page_views=page_views,
        forwarder=forwarder,
        metrics=metrics,
        closes_parts=lasting is None,
        is_https=settings.base_url.startswith("https:"),
        base_path=settings.base_path,
    )


def surround(api: FastAPI, metrics: Metrics, *, base_path: str) -> ASGIApp:
    """Returns the API with what is around it, from the inside: only JSON bodies, ETags, compression, safe headers, measurement."""
    contents = (screens_routes.router, colors_routes.router, stores_routes.router, images_routes.router)
    tagged = Tagged(
        StrictJson(api, uploads=(images_routes.PREFIX, imports_routes.UPLOADS, archives_routes.UPLOADS)),
        kept=[router.prefix for router in contents],
    )
    compressed = GZipMiddleware(tagged, minimum_size=1_000, compresslevel=1)
    return Measure(SafeHeaders(compressed, base_path=base_path), metrics)


def open_metrics(context: Context, delivery: DeliveryApp, live: Hub) -> Metrics:
    """Returns the metrics of a process, with the numbers that its parts count."""
    metrics, outages = Metrics(), context.database.outages
    metrics.counter("livery_quota_refusals", "Calls refused over a quota.", lambda: delivery.quota_refusals)
    metrics.gauge("livery_streams_open", "Streams that apps hold open.", lambda: delivery.open_streams)
    metrics.gauge("livery_previews_open", "Streams of drafts.", lambda: delivery.previews.open_streams)
    metrics.gauge("livery_dashboard_streams_open", "Streams that dashboards hold open.", lambda: live.open_streams)
    metrics.gauge(
        "livery_database_available",
        "1, or 0 while the database is away, damaged or can't be written.",
        lambda: outages.cause is None,
    )
    metrics.gauge(
        "livery_storage_available",
        "1, or 0 after the file storage failed.",
        lambda: not context.blobs.trouble.is_present,
    )
    if cdn := context.cdn:
        metrics.gauge(
            "livery_cdn_available", "1, or 0 after the CDN's bucket failed.", lambda: not cdn.trouble.is_present
        )
        metrics.counter(
            "livery_cdn_objects_written", "Objects written to the CDN's bucket.", lambda: cdn.written_objects
        )
    return metrics
