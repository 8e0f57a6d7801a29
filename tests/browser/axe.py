"""Accessibility checks of a page by axe-core."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async seen => {
  window.alike = new Set(seen);
  const found = await axe.run(document, {resultTypes: ["violations"], preload: false});
  const wrong = found.violations.map(
    one => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 5).map(node => node.html.slice(0, 160)).join(" | "));
  return [wrong, [...window.alike]];
}"""
ALIKE = """() => {
  const hash = text => {
    let high = 0xdeadbeef, low = 0x41c6ce57;
    for (let place = 0; place < text.length; place++) {
      high = Math.imul(high ^ text.charCodeAt(place), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(place), 1597334677);
    }
    return (low >>> 0) * 0x200000 + (high >>> 11);
  };
  const grounds = new WeakMap();
  const ground = element => {
    if (element === null) return 0;
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const kind = `${element.tagName} ${element.getAttribute("class")}`;
      const look = `${kind} ${backgroundColor} ${backgroundImage} ${opacity} ${ground(element.parentElement)}`;
      grounds.set(element, hash(look));
    }
    return grounds.get(element);
  };
  const looks = element => {
    const { color, fill, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return hash(`${color} ${fill} ${fontSize} ${fontWeight} ${textShadow} ${ground(element)}`);
  };
  const rule = axe._audit.rules.find(one => one.id === "color-contrast");
  const before = rule.matches;
  const fields = new Set(["input", "select", "textarea"]);
  const text = node => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim() !== "";
  rule.matches = (element, ...more) => {
    // Axe itself comes to this, but only after it has looked for labels and visible text in all that is below.
    if (!fields.has(element.localName) && ![...element.childNodes].some(text)) return false;
    const look = looks(element);
    if (window.alike.has(look) || !before.call(rule, element, ...more)) return false;
    window.alike.add(look);
    return true;
  };
}"""
"""Contrast takes longer than all else: it is looked at once in everything that looks alike, for the eye and by the
sheets of style: the same colours on the same grounds, in elements of the same kinds within each other."""
_seen: list[int] = []
"""What was looked at before, on any page."""


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Return every rule that the page violates, with the first elements."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
        page.evaluate(ALIKE)
    found: list[str]
    found, seen = page.evaluate(RUN, _seen)
    if not found:  # reported on every page
        _seen[:] = seen
    return found
