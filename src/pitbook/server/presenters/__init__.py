"""Presenters: from domain objects to the schemas of the API."""
