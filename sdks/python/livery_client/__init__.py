"""Text, colours, images and data of a Python app, changed in the Livery dashboard while the app runs.

``Livery`` is for synchronous code, ``AsyncLivery`` for asyncio. Reading a value never blocks and never raises.
"""

from livery_client.apostrophes import format_icu_message
from livery_client.content import Content, Image
from livery_client.core import Change, State
from livery_client.livery import AsyncLivery, AsyncStore, Livery, Store
from livery_client.messages import format_message
from livery_client.snapshots import load_snapshots
from livery_client.stores import NotFetchedError

__version__ = "0.1.0"
__all__ = [
    "AsyncLivery",
    "AsyncStore",
    "Change",
    "Content",
    "Image",
    "Livery",
    "NotFetchedError",
    "State",
    "Store",
    "format_icu_message",
    "format_message",
    "load_snapshots",
]
