"""Livery in a Django project: the settings ``LIVERY``, and the template tags of ``{% load livery %}``.

.. code-block:: python

    INSTALLED_APPS = [..., "livery_client.django"]
    LIVERY = {"project_id": "prj_…", "key": "lvp_…", "base_url": "https://livery.example.com"}
"""

import threading
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import get_language

from livery_client.livery import Livery

_lock = threading.Lock()
_clients: list[tuple[Any, Livery]] = []


def get_livery() -> Livery:
    """Returns the client of this process in the language of the request (``django.utils.translation``).

    The first call makes the client, with the settings ``LIVERY`` as its options. Raises ``ImproperlyConfigured`` if they are absent or wrong.
    """
    client = get_client()
    language = get_language()
    return client.in_language(language) if language else client


def get_client() -> Livery:
    """Returns the client of this process in the language of its settings. Raises ``ImproperlyConfigured`` as ``get_livery`` does."""
    options = cast("dict[str, Any] | None", getattr(settings, "LIVERY", None))
    with _lock:
        # Tests replace the settings: a client with other options is closed.
        while _clients and _clients[-1][0] is not options:
            _clients.pop()[1].close()
        if not _clients:
            if not options:
                raise ImproperlyConfigured('Set LIVERY = {"project_id": …, "key": …, "base_url": …} in the settings.')
            try:
                _clients.append((options, Livery(**options)))
            except (TypeError, ValueError) as error:
                raise ImproperlyConfigured(f"The settings LIVERY are wrong: {error}") from error
        return _clients[-1][1]
