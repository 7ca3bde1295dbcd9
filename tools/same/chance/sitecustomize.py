"""Known randomness of the system for a server that `tools/same` starts. Python imports this file at its start.

The k-th draw of n bytes depends on k, n and the text of the file that SAME_CHANCE names, and on nothing else. The caller
changes that text before it asks for a room, so that each room has the same deal and secrets in both versions.
"""

import hashlib
import os
import sys
from collections import Counter
from importlib import reload
from pathlib import Path

if "SAME_CHANCE" in os.environ:
    FILE = Path(os.environ["SAME_CHANCE"])
    drawn: "Counter[str]" = Counter()

    def urandom(size: int) -> bytes:
        """Known bytes in place of the system's."""
        purpose = f"{FILE.read_text(encoding='utf-8')}/{size}"
        drawn[purpose] += 1
        return hashlib.shake_256(f"{purpose}/{drawn[purpose]}".encode()).digest(size)

    os.urandom = urandom
    if "random" in sys.modules:  # it keeps the function that it found
        reload(sys.modules["random"])
