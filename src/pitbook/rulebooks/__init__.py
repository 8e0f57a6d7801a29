"""Rulebooks: a regulator's text as data, read, checked and resolved under chosen readings and house options."""
