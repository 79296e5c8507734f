"""What a page did besides showing itself: requests, errors, dialogs."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Dialog, Page, Request

LOCAL = ("file:", "data:", "blob:", "about:")  # schemes that need no network


@dataclass
class Heard:
    """Requests to a network, and errors and warnings of scripts, dialogs among them."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Note them from now on."""
        page.on("request", self._request)
        page.on("websocket", lambda socket: self.requests.append(socket.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("dialog", self._dialog)

    def _request(self, request: Request) -> None:
        if not request.url.startswith(LOCAL):
            self.requests.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def forgive(self, source: str) -> None:
        """Forget what a page of somebody else's did that holds the viewer."""
        refused = [url for url in self.requests if url.startswith(source)]
        self.requests = [url for url in self.requests if url not in refused]
        failures = [text for text in self.errors if text.startswith("Failed to load resource")]
        assert len(failures) <= len(refused)
        self.errors = [text for text in self.errors if text not in failures]
