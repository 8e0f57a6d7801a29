"""Numbered SQL files of the journal for each kind of database."""
