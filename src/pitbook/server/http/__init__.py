"""HTTP infrastructure: middleware, request bodies, problems, logs, metrics, the OpenAPI description."""
