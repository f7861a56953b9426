"""The app of Django. With ``LIVERY_GETTEXT = True`` in the settings, ``gettext`` and ``{% translate %}`` read from Livery first."""

from django.apps import AppConfig
from django.conf import settings

from livery_client.django.translations import install


class LiveryConfig(AppConfig):
    """``"livery_client.django"`` in ``INSTALLED_APPS``."""

    name = "livery_client.django"
    label = "livery"

    def ready(self) -> None:
        """Puts Livery in front of the translations of the project, if the settings ask for it."""
        if getattr(settings, "LIVERY_GETTEXT", False):
            install()
