"""The addresses of the bucket that apps read: whether they can work."""

from livery.core.settings import Settings, SettingsError


def check_cdn(settings: Settings) -> None:
    """Raises ``SettingsError`` for a bucket without an address for apps, and for a bucket that also has private files of the server."""
    if bool(settings.cdn_storage_url) != bool(settings.cdn_url):
        raise SettingsError("LIVERY_CDN_STORAGE_URL and LIVERY_CDN_URL must be set together.")
    places = [f"{url.rstrip('/')}/" for url in (settings.cdn_storage_url, settings.storage_url) if url]
    if (
        settings.cdn_storage_url
        and len(places) == 2
        and (places[0].startswith(places[1]) or places[1].startswith(places[0]))
    ):
        raise SettingsError("LIVERY_CDN_STORAGE_URL must not be within LIVERY_STORAGE_URL, nor the other way round.")
