"""Everything that people read, by id: English and Chinese side by side, one TOML file for each area.

`languages.py` chooses a language, `patterns.py` reads and fills in ICU MessageFormat, `catalogue.py` reads the files,
`message.py` has `Message` and `Sentence`, and `typescript.py` compiles the pages' areas for the browser. `README.md`
beside this file says how to write a message.
"""

from __future__ import annotations

from pitbook.messages.languages import Language, negotiate
from pitbook.messages.message import Message, Sentence, compose, stored
from pitbook.messages.values import Money

__all__ = ["Language", "Message", "Money", "Sentence", "compose", "negotiate", "stored"]
