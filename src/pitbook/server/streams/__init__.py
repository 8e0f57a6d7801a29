"""Live streams: what each may see, encoded once, sent to all who watch, from any entry on."""
