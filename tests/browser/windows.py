"""Windows of the browser, each with cookies and its own storage. One that was used is wiped and used again by the
tests of the same module: to start a window takes longer than most pages take to load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.browser.people import session_of
from tests.waiting import HANG

TIMEOUT_MS = 1_000 * HANG
"""Milliseconds after which a page counts as hung."""
REST = "/assets/nothing"
"""Where a window waits that nobody uses: no script runs there, and the browser keeps the process of the house."""

Visit = Callable[..., Page]
"""Opens an address in a window; see `Windows.open`."""


LOCALES = {"en": "en-US", "zh": "zh-TW", "zh-Hans": "zh-CN"}
"""The locale of a browser by the language that its visitor reads; any other is a locale itself."""


@dataclass(frozen=True)
class Kind:
    """The settings of a window."""

    locale: str
    still: bool
    touch: bool
    look: str | None


@dataclass
class Window:
    kind: Kind
    context: BrowserContext
    page: Page
    spoilt: bool = False
    """Whether it has had what cannot be wiped."""


@dataclass
class Windows:
    """The browser windows of one house."""

    browser: Browser
    address: str
    wrong: list[str] = field(default_factory=list)
    """What scripts have failed with since the last `wipe`."""
    _used: list[Window] = field(default_factory=list)
    _idle: list[Window] = field(default_factory=list)

    def open(
        self,
        address: str = "/",
        *,
        name: str | None = None,
        width: int = 1440,
        height: int = 900,
        look: str | None = None,
        language: str = "en",
        still: bool = True,
        fresh: bool = False,
    ) -> Page:
        """An address in a window that no other page uses, for someone who is signed in if a name is given.

        A fresh one is for those who change what a wiped window keeps, like its clock.
        """
        kind = Kind(LOCALES.get(language, language), still, width < 700, look)
        window = self._taken(kind, fresh)
        window.page.set_viewport_size({"width": width, "height": height})
        if name is not None:
            window.context.add_cookies(session_of(self.address, name).for_browser())
        window.page.goto(address)
        return window.page

    def wipe(self) -> list[str]:
        """All windows are free again, and know nothing of who used them; what went wrong in them."""
        for window in self._used:
            if self._wiped(window):
                self._idle.append(window)
            else:
                window.context.close()
        self._used.clear()
        wrong, self.wrong = self.wrong, []
        return wrong

    def close(self) -> None:
        for window in (*self._used, *self._idle):
            window.context.close()

    def _taken(self, kind: Kind, fresh: bool) -> Window:
        found = None if fresh else next((one for one in self._idle if one.kind == kind), None)
        if found is not None:
            self._idle.remove(found)
        else:
            found = self._made(kind)
        found.spoilt = fresh
        self._used.append(found)
        return found

    def _made(self, kind: Kind) -> Window:
        context = self.browser.new_context(
            base_url=self.address,
            locale=kind.locale,
            reduced_motion="reduce" if kind.still else "no-preference",
            has_touch=kind.touch,
        )
        if kind.look is not None:
            context.add_init_script(f"localStorage.setItem('pitbook.look', '{kind.look}')")
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda message: self.wrong.extend(complaint(message)))
        return Window(kind, context, page)

    def _wiped(self, window: Window) -> bool:
        page, context = window.page, window.context
        if window.spoilt or page.is_closed() or not page.url.startswith(self.address):
            return False
        for other in context.pages:
            if other is not page:
                other.close()
        context.set_offline(False)
        context.clear_permissions()
        page.unroute_all()
        page.goto(REST)
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        context.clear_cookies()
        return True


SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const boxes = () => JSON.stringify([...document.querySelectorAll("body *")].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height];
  }));
  for (let before = ""; before !== boxes(); await frame()) {
    before = boxes();
    await frame();
  }
}"""


def resize(page: Page, width: int, height: int = 900) -> None:
    """Resize a window, and wait until nothing on the page moves any more."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(SETTLED)


def complaint(message: ConsoleMessage) -> list[str]:
    """What the browser complains of: above all, what the policy of the pages forbids.

    Not that the server said no, which pages tell in their own words.
    """
    if message.type != "error" or message.text.startswith("Failed to load resource"):
        return []
    return [message.text]
