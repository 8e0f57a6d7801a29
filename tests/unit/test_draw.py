"""Diagrams: every wager draws in every format, and what is drawn is what the machine does."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from pitbook.dice import throws
from pitbook.engine.draw import RENDERERS, Diagram, diagram
from pitbook.engine.draw.layout import SMALL, text_width
from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.model import Rulebook
from pitbook.wager.machine import machine_of

Rectangle = tuple[float, float, float, float]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def book(name: str, *readings: tuple[str, str]) -> Rulebook:
    return load(name, readings=dict(readings))


def drawn(name: str, wager: str, *readings: tuple[str, str], whole: bool = False) -> Diagram:
    rules = book(name, *readings)
    return diagram(rules, rules.wager(wager), whole=whole)


def label_of(found: Diagram) -> dict[str, str]:
    return {node.id: node.label for node in found.nodes}


def edges_of(found: Diagram) -> dict[tuple[str, str], str]:
    labels = label_of(found)
    return {(labels[edge.source], labels[edge.target]): edge.label for edge in found.edges}


def texts(picture: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(picture).iter(f"{SVG}text")]


def check_picture(picture: str, found: Diagram) -> None:
    root = ET.fromstring(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == found.title
    _, _, width, height = map(float, root.get("viewBox", "").split())
    boxes: list[Rectangle] = []
    for rect in list(root.iter(f"{SVG}rect"))[1:]:
        x, y = float(rect.get("x", "")), float(rect.get("y", ""))
        right, bottom = x + float(rect.get("width", "")), y + float(rect.get("height", ""))
        assert 0 <= x < right <= width
        assert 0 <= y < bottom <= height
        if rect.get("rx") != "14":  # a frame is around boxes, not beside them
            boxes.append((x, y, right, bottom))
    things = [*boxes, *(_around(text) for text in root.findall(f"{SVG}text"))]
    assert not [pair for pair in combinations(things, 2) if _overlap(*pair)]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|<script|@import", picture)


def _around(caption: ET.Element) -> Rectangle:
    text, size = caption.text or "", float(caption.get("font-size", SMALL))
    width = text_width(text, size)
    x = float(caption.get("x", "")) - width * {"middle": 0.5, "end": 1.0}.get(caption.get("text-anchor", ""), 0.0)
    y = float(caption.get("y", ""))
    return x, y - size * 0.7, x + width, y


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def check_graph(found: Diagram) -> None:
    names = {node.id for node in found.nodes}
    assert len(names) == len(found.nodes)
    assert {edge.source for edge in found.edges} | {edge.target for edge in found.edges} == names
    assert len({(edge.source, edge.target) for edge in found.edges}) == len(found.edges)
    ends = {node.id for node in found.nodes if node.is_end}
    assert ends.isdisjoint(edge.source for edge in found.edges)
    assert any(node.kind == "start" for node in found.nodes)
    last = max(node.level for node in found.nodes)
    assert all((node.level == last) == node.is_end for node in found.nodes)


def check_text_formats(found: Diagram) -> None:
    dot = RENDERERS["dot"](found)
    assert dot.startswith("digraph ")
    assert dot.count("{") == dot.count("}")
    assert len(re.findall(r"^  \w+ -> \w+ \[label=", dot, re.MULTILINE)) == len(found.edges)
    assert len(re.findall(r"^  \w+ \[label=.*fillcolor", dot, re.MULTILINE)) == len(found.nodes)
    mermaid = RENDERERS["mermaid"](found)
    assert json.loads(mermaid.splitlines()[1].removeprefix("title: ")) == found.title
    assert mermaid.splitlines()[3] == "flowchart LR"
    assert len(re.findall(r'^  \w+ -\.?->\|"[^"]+"\| \w+$', mermaid, re.MULTILINE)) == len(found.edges)
    assert len(re.findall(r'^  \w+\(\[?"[^"]+"\]?\):::\w+$', mermaid, re.MULTILINE)) == len(found.nodes)


@pytest.mark.parametrize("name", PACKAGED)
def test_every_wager_draws_in_every_format(name: str) -> None:
    for wager_id in book(name).wagers:
        found = drawn(name, wager_id)
        check_graph(found)
        check_text_formats(found)
        check_picture(RENDERERS["svg"](found), found)
        assert json.loads(json.dumps(found.as_data())).keys() == {"book", "wager", "title", "nodes", "edges"}


@pytest.mark.parametrize(
    ("wager", "reading"),
    [
        ("the-works", ("works-seven", "seven-out")),
        ("all-lows", ("works-seven", "seven-out")),
        ("parlay/2x2", ("parlay-seven", "seven-out")),
        ("parlay/6x6", ("parlay-seven", "seven-out")),
        ("parlay-envy/2-3-11-12x7", ("parlay-seven", "seven-out")),
        ("roll-the-line", ("roll-the-line-seven", "any-seven")),
    ],
)
def test_every_reading_draws(wager: str, reading: tuple[str, str]) -> None:
    found = drawn("dice-works", wager, reading)
    check_graph(found)
    check_picture(RENDERERS["svg"](found), found)


@pytest.mark.parametrize("name", PACKAGED)
def test_the_ways_out_of_every_node_are_all_throws(name: str) -> None:
    for wager_id in book(name).wagers:
        found = drawn(name, wager_id, whole=True)
        machine = machine_of(book(name).wager(wager_id).spec, book(name).dice)
        assert sum(not node.is_end for node in found.nodes) == machine.size
        out: dict[str, int] = defaultdict(int)
        for edge in found.edges:
            assert edge.ways == edge.ways_max > 0
            assert edge.of == throws(book(name).dice)
            out[edge.source] += edge.ways
        assert set(out.values()) == {throws(book(name).dice)}


def test_all_lows_is_a_state_for_every_set_of_marks() -> None:
    found = drawn("dice-works", "all-lows")
    assert len(found.nodes) == 31 + 2
    edges = edges_of(found)
    assert edges["nothing marked", "2"] == "2"
    assert edges["2 · 3 · 5", "2 · 3 · 5 · 6"] == "6"
    assert edges["2 · 3 · 5", "2 · 3 · 5"] == "2, 3, 5, 8–12"
    assert edges["2 · 3 · 5", "lose"] == "7"
    assert edges["3 · 4 · 5 · 6", "win: 34 to 1"] == "2"
    assert found.title == "All Lows · Dice Works (craps side bets) · pays by PT1, the first of 2 pay tables"


def test_a_throw_of_sic_bo_ends_in_its_rows() -> None:
    assert edges_of(drawn("massachusetts-sic-bo", "small")) == {
        ("the throw", "win: 1 to 1"): "105 of 216",
        ("the throw", "lose"): "111 of 216",
    }
    ends = {node.label: node.kind for node in drawn("massachusetts-sic-bo", "one-of-a-kind/3").nodes}
    assert [*ends.values()] == ["start", "win", "win", "win", "lose"]


def test_a_summary_of_the_works_goes_by_how_many_are_marked() -> None:
    found = drawn("dice-works", "the-works")
    assert "a summary of 1,023 states" in found.title
    assert len(found.nodes) == 10 + 2
    assert sum(node.states for node in found.nodes if not node.is_end) == 1023
    edges = edges_of(found)
    assert edges["3 marked", "4 marked"] == "a missing number"
    assert edges["9 marked", "win: 175 to 1"] == "the last number"
    assert edges["3 marked", "3 marked"] == "any other"
    labels = label_of(found)
    last = {labels[edge.target]: edge.counted for edge in found.edges if labels[edge.source] == "9 marked"}
    assert last == {"9 marked": "25–29 of 36", "win: 175 to 1": "1–5 of 36", "lose": "6 of 36"}


@pytest.mark.parametrize("wager", ["the-works", "high-roller", "roll-the-line"])
def test_the_ways_of_a_summary_can_add_up(wager: str) -> None:
    """All throws lie between the fewest and the most ways out; where nothing differs they are met exactly."""
    by_source = defaultdict(list)
    for edge in drawn("dice-works", wager).edges:
        by_source[edge.source].append(edge)
    for edges in by_source.values():
        assert sum(edge.ways for edge in edges) <= 36 <= sum(edge.ways_max for edge in edges)
        if all(edge.ways == edge.ways_max for edge in edges):
            assert sum(edge.ways for edge in edges) == 36


def test_a_count_is_a_ladder_of_come_out_and_point() -> None:
    edges = edges_of(drawn("dice-works", "roll-the-line"))
    assert edges["2 wins, come-out", "2 wins, point on"] == "4–6, 8–10"
    assert edges["2 wins, come-out", "3 wins, come-out"] == "7, 11"
    assert edges["2 wins, point on", "3 wins, come-out"] == "the point"
    assert edges["2 wins, point on", "2 wins: push"] == "7"
    assert edges["11+ wins, point on", "11 or more wins: 50 to 1"] == "7"
    found = drawn("dice-works", "high-roller")
    assert {node.lane: node.label for node in found.nodes if node.level == 2}[3] == "3 points: 4 to 1"
    assert "pay tables" not in found.title


def test_a_hand_that_no_longer_matters_is_not_named() -> None:
    labels = label_of(drawn("dice-works", "roll-the-line", ("roll-the-line-seven", "any-seven"))).values()
    assert "11+ wins" in labels
    assert "10 wins, come-out" in labels


def test_a_wager_starts_on_the_hands_on_which_it_may_be_made() -> None:
    """Roll the Line is made on the come-out roll only, Parlay Craps on any roll."""

    def starts(found: Diagram) -> list[str]:
        return [node.label for node in found.nodes if node.kind == "start"]

    assert starts(drawn("dice-works", "roll-the-line")) == ["0 wins, come-out"]
    on_hands = drawn("dice-works", "parlay/2x2", ("parlay-seven", "seven-out"))
    assert starts(on_hands) == ["0 of 2, come-out", "0 of 2, point on"]


def test_one_line_leads_out_of_a_frame_where_every_state_ends_on_the_same_roll() -> None:
    data = texts(RENDERERS["svg"](drawn("dice-works", "all-lows")))
    assert data.count("any state: 7") == 1
    assert "7" not in data


def test_a_picture_of_too_many_states_is_refused_with_what_to_do_instead() -> None:
    found = drawn("dice-works", "the-works", whole=True)
    with pytest.raises(InputError, match=r"^a picture of 1,023 states would be unreadable; use --format dot"):
        RENDERERS["svg"](found)
    assert RENDERERS["dot"](found).count(" -> ") == len(found.edges)


def test_a_whole_machine_below_that_is_drawn() -> None:
    for wager in ("high-roller", "roll-the-line"):
        found = drawn("dice-works", wager, whole=True)
        check_picture(RENDERERS["svg"](found), found)
        assert "0 points, point 4" in label_of(found).values() or "0 wins, point 4" in label_of(found).values()


def test_names_are_escaped_in_every_format() -> None:
    found = drawn("massachusetts-sic-bo", "small")
    odd = Diagram(found.book, found.wager, 'A "<&>" 小 · B', found.nodes, found.edges)
    check_picture(RENDERERS["svg"](odd), odd)
    check_text_formats(odd)
    assert "小" in texts(RENDERERS["svg"](odd))[0]


@pytest.mark.parametrize("name", PACKAGED)
def test_a_diagram_in_chinese_is_the_same_machine_without_english(name: str) -> None:
    rules = book(name)
    for wager in rules.wagers.values():
        english, chinese = diagram(rules, wager), diagram(rules, wager, language="zh-Hant")
        for parts in ("nodes", "edges"):
            data, same = english.as_data()[parts], chinese.as_data()[parts]
            assert [{**one, "label": "", "counted": ""} for one in same] == [
                {**one, "label": "", "counted": ""} for one in data
            ]
        output = [element.text or "" for element in ET.fromstring(RENDERERS["svg"](chinese)).iter()]
        brands = re.compile("|".join(map(re.escape, [wager.name.en, rules.identity.title.en.partition(" (")[0]])))
        assert [text for text in output if re.search("[a-z]{2,}", brands.sub("", text))] == []
