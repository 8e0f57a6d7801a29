"""Wagers as state machines: one pure step function per family, compiled to dense tables that other packages read."""
