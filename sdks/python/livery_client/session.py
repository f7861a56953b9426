"""A connection of an app that may rest, or lose its network: both let go of the connection and come back to it."""

from typing import Literal

from livery_client.connection import Connection, Status, Watcher
from livery_client.holding import Holding
from livery_client.platform import Cancel
from livery_client.requests import Endpoint

Lifecycle = Literal["visible", "hidden", "online", "offline"]

HIDDEN = 60.0
CHECK_SPREAD = 2.0


class Session:
    """Keeps ``holding`` up to date until it is closed."""

    def __init__(self, to: Endpoint, holding: Holding, watcher: Watcher, *, is_once: bool) -> None:
        self._platform = to.platform
        self._watcher = watcher
        self._connection = Connection(to, holding, watcher, is_once=is_once)
        self._is_paused = False
        self._is_offline = False
        self._is_first_start = True
        self._hidden_timer: Cancel = lambda: None
        self._begin()

    @property
    def status(self) -> Status:
        """The status of the connection."""
        return self._connection.status

    def close(self) -> None:
        """Ends the connection."""
        self._hidden_timer()
        self._connection.stop()

    def lifecycle(self, event: Lifecycle) -> None:
        """The app rests or is back, or the network is gone or back."""
        match event:
            case "hidden":
                self._hidden_timer()
                self._hidden_timer = self._platform.after(HIDDEN, self._pause)
            case "offline":
                self._is_offline = True
                self._connection.stop()
            case _:
                self._back(is_visible=event == "visible")

    def _back(self, *, is_visible: bool) -> None:
        if is_visible:
            self._hidden_timer()
        was_offline, self._is_offline = self._is_offline, False
        if self._is_paused:
            if is_visible:
                self._is_paused = False
                self._begin()
        elif was_offline:
            self._begin()
        else:
            self._connection.check(CHECK_SPREAD)

    def _begin(self) -> None:
        # The first start is urgent; every other may be thousands of devices that wake at once.
        delay = 0.0 if self._is_first_start else self._platform.random() * CHECK_SPREAD
        self._is_first_start = False
        if not self._is_offline:
            self._connection.start(delay)

    def _pause(self) -> None:
        self._is_paused = True
        self._connection.stop()
        self._watcher.status_changed()
