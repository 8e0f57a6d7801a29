"""Sphinx settings: Markdown by MyST, the Furo theme, nothing fetched from other hosts."""

project = "Pitbook"
author = "the Pitbook contributors"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_title = "Pitbook"
html_copy_source = False
html_show_sphinx = False
