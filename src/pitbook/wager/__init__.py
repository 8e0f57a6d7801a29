"""Wagers as machines: one pure step function per family, compiled to dense tables that everything else reads."""
