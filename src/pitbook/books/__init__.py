"""The rulebooks: data only, one TOML file per text."""
