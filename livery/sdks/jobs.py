"""The background work of SDKs: the package files of this server are kept for later servers."""

from functools import partial

from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep
from livery.sdks.service import keep_own


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``sdk_packages``."""
    return [Sweep("sdk_packages", partial(keep_own, context.database), PRUNE_SECONDS)]
