"""The driver of automatic tables, the console, and the queue of replies."""
