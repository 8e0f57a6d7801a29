"""Requests and answers, whatever they are about: the middleware, bodies, problems, logs, figures, the reference."""
