"""Numbered SQL files of the auth store for each kind of database."""
