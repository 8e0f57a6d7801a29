"""Commands on their way to a table, tables as they are shown, and the driver of automatic ones."""
