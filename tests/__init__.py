"""The tests. A package of its own, so that no other package of this name can stand before it."""
