"""Schemas of the API: the JSON of requests and responses as msgspec structs."""
