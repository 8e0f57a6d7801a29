"""Heavy work in separate processes: a worker pool for questions, background jobs for long work."""
