"""The changes that are made: a choice of Cosmic Ray's operators, and four of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import parso.python.tree
from cosmic_ray.ast import get_ast
from cosmic_ray.operators import provider
from cosmic_ray.operators.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[tuple[int, int], tuple[int, int]]

CHOSEN = (
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "Div_Mul", "FloorDiv_Mul")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Mod_FloorDiv", "Pow_Mul", "BitOr_BitAnd", "BitAnd_BitOr")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt")),
    *("ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd", "AddNot"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer"),
    *("RemoveDecorator", "ZeroIterationForLoop"),
)
"""Of each operator its neighbour and its opposite: `<` becomes `<=` and `>=`, not `==` as well."""


class RemoveCall(Operator):  # type: ignore[misc]
    """Replace a statement that is only a call by `pass`: a check, an event, an ending of sessions is left out."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "simple_stmt" and _is_call(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        assert index == 0
        statement = node.children[0]
        node.children[0] = parso.python.tree.Keyword("pass", statement.start_pos, statement.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def _is_call(node: Any) -> bool:
    if node.type == "atom_expr" and node.children[0] == "await":
        return True
    last = node.children[-1] if node.type in ("power", "atom_expr") else None
    return last is not None and last.type == "trailer" and last.children[0] == "("


class ExceptionReplacer(Operator):  # type: ignore[misc]
    """Catch an exception that nobody raises instead of one that is caught. Cosmic Ray's own knows no dotted names."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "except_clause":
            yield from ((one.start_pos, one.end_pos) for _, _, one in self._points(node))

    def mutate(self, node: Any, index: int) -> Any:
        around, place, found = self._points(node)[index]
        prefix = found.get_first_leaf().prefix
        around.children[place] = parso.python.tree.Name("BytesWarning", found.start_pos, prefix)
        return node

    def _points(self, node: Any) -> list[tuple[Any, int, Any]]:
        caught = node.children[1]
        if caught.type != "atom":
            return [(node, 1, caught)]
        inner = caught.children[1]
        if inner.type != "testlist_comp":
            return [(caught, 1, inner)]
        return [(inner, place, one) for place, one in enumerate(inner.children) if place % 2 == 0]

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class SwapIn(Operator):  # type: ignore[misc]
    """Replace `in` by `not in`, and `not in` by `in`."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "comparison":
            yield from ((one.start_pos, one.end_pos) for _, one in self._points(node))

    def mutate(self, node: Any, index: int) -> Any:
        place, found = self._points(node)[index]
        node.children[place] = get_ast(" in" if _words(found) == "not in" else " not in")
        return node

    def _points(self, node: Any) -> list[tuple[int, Any]]:
        return [
            (place, child)
            for place, child in enumerate(node.children)
            if place % 2 and _words(child) in ("in", "not in")
        ]

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def _words(node: Any) -> str:
    return " ".join(node.get_code().split())


class NegateOther(Operator):  # type: ignore[misc]
    """Negate what `AddNot` passes over: the condition of an `elif`, and that of a comprehension."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        yield from ((one.start_pos, one.end_pos) for _, one in self._points(node))

    def mutate(self, node: Any, index: int) -> Any:
        place, found = self._points(node)[index]
        node.children[place] = get_ast(f" not ({found.get_code().strip()})")
        return node

    def _points(self, node: Any) -> list[tuple[int, Any]]:
        if node.type == "comp_if":
            return [(1, node.children[1])]
        if node.type != "if_stmt":
            return []
        return [(place + 1, node.children[place + 1]) for place, one in enumerate(node.children) if one == "elif"]

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def operators() -> dict[str, Operator]:
    """Return every operator by its name."""
    core = provider.OperatorProvider()
    own = {kind.__name__: kind() for kind in (RemoveCall, ExceptionReplacer, SwapIn, NegateOther)}
    return {name: core[name]() for name in CHOSEN} | own
