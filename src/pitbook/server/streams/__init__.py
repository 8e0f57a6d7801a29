"""Live streams: entries projected for each viewer, encoded once and sent to all watchers, from any entry on."""
