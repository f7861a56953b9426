"""Who may have a project's images, and how many: what the images domain needs to know of plans, keys and quotas."""

from livery.core import limits
from livery.core.context import Context
from livery.core.errors import Gone, NotFound, PaymentRequired
from livery.core.rates import Buckets
from livery.delivery.admission import Admission, Gate
from livery.delivery.quotas import SLOW_SECONDS, Level, Quotas
from livery.images.darkroom import Darkroom
from livery.images.media import Door, MediaApp
from livery.images.variants import Variants
from livery.projects.queries import find_deleted_project, find_project
from livery.usage.meter import Meter
from livery.workspace.allowance import read_allowance

_ANYBODY = "media"
_MB = 1024 * 1024


class Media:
    """The images of one process: the application that sends them, and the notices that it needs."""

    def __init__(self, context: Context, darkroom: Darkroom, meter: Meter, quotas: Quotas) -> None:
        self._context = context
        self._meter = meter
        self._quotas = quotas
        self._gate = Gate(self._resolve)
        is_on = context.settings.rate_limits == "on"
        requests = Buckets(limits.MEDIA_READS_PER_NETWORK, is_on=is_on)
        bodies = Buckets(limits.READS_PER_NETWORK, is_on=is_on)
        self.variants = Variants(
            context.settings.data_dir / "variants", context.settings.image_cache_mb * _MB, darkroom, context.blobs
        )
        door = Door(self._admit, requests.take, bodies.take, self._max_age, self._count)
        self.app = MediaApp(context.database, context.blobs, self.variants, door)

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber: a project was deleted, or a plan changed."""
        if topic == "keys":
            self._gate.forget()
        elif topic == "plans" and subject is not None:
            self._gate.forget(subject)

    async def _resolve(self, _key: str, project_id: str) -> Admission:
        async with self._context.database.read() as db:
            if await find_project(db, project_id) is None:
                is_gone = await find_deleted_project(db, project_id) is not None
                return Admission.GONE if is_gone else Admission.STRANGER
            allowance = await read_allowance(db, self._context.settings, self._meter, project_id)
        if allowance is None:
            return Admission.UNPAID
        self._quotas.learn(project_id, allowance)
        return Admission.GRANTED

    async def _admit(self, project_id: str) -> None:
        admission, _ = await self._gate.admit(_ANYBODY, project_id)
        match admission:
            case Admission.GRANTED:
                return
            case Admission.GONE:
                raise Gone("This project was deleted.")
            case Admission.UNPAID:
                raise PaymentRequired("The plan of this project has ended.", code="plan_expired")
            case _:
                raise NotFound("There is no image at this address.", code="image_not_found")

    def _max_age(self, project_id: str) -> int | None:
        level = self._quotas.level(project_id)
        return None if level is Level.SPENT else SLOW_SECONDS if level is Level.OVER else 0

    def _count(self, project_id: str, size_bytes: int) -> None:
        self._meter.count(project_id, 0, size_bytes)
        self._quotas.count(project_id, 0, size_bytes)
