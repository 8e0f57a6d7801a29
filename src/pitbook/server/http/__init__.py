"""Requests and answers, whatever they are about: the doorway, bodies, problems, logs, figures, the reference."""
