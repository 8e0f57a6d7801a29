"""Tutorials that are walked through: what a test presses stands there in bold, in this order, and what it shows
is a picture there.

Pictures are taken where they are asked for: with `--pictures` for build/screenshots, with `--update` for docs/pictures
too, as WebP to be small.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Literal, Self

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PICTURES, ROOT, Visit

TUTORIALS = ROOT / "docs" / "tutorials"
KEPT = ROOT / "docs" / "pictures"
WIDTH, HEIGHT = 1280, 800
QUALITY = 80
ACT = re.compile(r"\*\*(.+?)\*\*|!\[[^\]]*\]\(\.\./(pictures/[\w-]+\.webp)\)")
AT_REST = """async () => {
  for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
}"""
"""A layout that fits itself to a new place needs some frames."""
Role = Literal["button", "link", "tab", "radio", "checkbox"]
ROLES: tuple[Role, ...] = ("button", "link", "tab", "radio", "checkbox")


class Lesson:
    """A tutorial and the actions taken for it so far."""

    def __init__(self, name: str, visit: Visit, pictures: bool, update: bool) -> None:
        self.name, self.visit, self.pictures, self.update = name, visit, pictures or update, update
        self.text = " ".join((TUTORIALS / f"{name}.md").read_text(encoding="utf-8").split())
        self.done: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Check that exactly the actions of the tutorial were taken."""
        if kind is None:
            data = [bold or picture for bold, picture in ACT.findall(self.text)]
            assert self.done == data, f"{self.name}.md tells {data}, and done was {self.done}"

    def window(self, address: str = "/", **how: int | str) -> Page:
        """Open a browser window as wide as the pictures."""
        self._check_text(f"`{address}`" if address != "/" else "127.0.0.1:8000")
        return self.visit(address, width=WIDTH, height=HEIGHT, **how)

    def sign_in(self, page: Page, person: str) -> None:
        """Sign in from the list of demo users."""
        self.press(page.get_by_role("banner"), "Sign in")
        card = page.locator(".person").filter(has=page.get_by_text(person, exact=True))
        expect(card).to_have_count(1)
        expect(page.locator(".person").first).to_be_visible()
        if not card.is_visible():
            self.click(page.get_by_text("More users", exact=True), "More users")
        card.click()
        self.done.append(person)
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    def press(self, where: Page | Locator, words: str, *, exact: bool = True) -> None:
        """Click a button, link or other element with this name; the first if there are several."""
        found = where.get_by_role(ROLES[0], name=words, exact=exact)
        for role in ROLES[1:]:
            found = found.or_(where.get_by_role(role, name=words, exact=exact))
        found.filter(visible=True).first.click()
        self.done.append(words)

    def click(self, what: Locator, words: str) -> None:
        """Something without its own name; the tutorial's word for it."""
        what.click()
        self.done.append(words)

    def fill(self, where: Page | Locator, field: str, text: str) -> None:
        self._check_text(f"`{text}`")
        where.get_by_label(field, exact=True).fill(text)
        self.done.append(field)

    def select(self, where: Page | Locator, field: str, choice: str) -> None:
        where.get_by_label(field, exact=True).select_option(label=choice)
        self.done += [choice, field]

    def types(self, page: Page, *keys: str) -> None:
        for key in keys:
            self._check_text(f"`{key}`")
            page.keyboard.press(key) if key.isalpha() else page.keyboard.type(key)

    def take_picture(self, page: Page, name: str, part: Locator | None = None, *, height: int = HEIGHT) -> None:
        """Take a picture of the window or of a part of it."""
        self.done.append(f"pictures/{name}.webp")
        if not self.pictures:
            expect(part or page.locator("body")).to_be_visible()
            return
        for toast in page.locator(".toast button").all():
            toast.click()
        page.mouse.move(0, 0)
        page.set_viewport_size({"width": WIDTH, "height": height})
        page.evaluate(AT_REST)
        expect(page.locator(".fitted:not(.fitted-shown)")).to_have_count(0)  # the felt is drawn at its new size
        taken = (part or page).screenshot(animations="disabled")
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(taken)
        if self.update:
            keep(taken, KEPT / f"{name}.webp")

    def _check_text(self, words: str) -> None:
        assert words in self.text, f"{self.name}.md does not tell {words}"


def keep(taken: bytes, file: Path) -> None:
    """Save the picture as WebP: a third of the size without a visible difference."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(BytesIO(taken)) as picture:
        picture.convert("RGB").save(file, quality=QUALITY, method=6)
