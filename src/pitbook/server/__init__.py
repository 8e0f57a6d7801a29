"""The live house over HTTP: settings, the application, its routes, and how it is run."""
