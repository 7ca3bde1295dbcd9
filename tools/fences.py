"""An extension of Griffe, which reads docstrings for the site: sessions of Python become blocks of code."""

import re
from typing import Any, Final

import griffe

SESSION: Final = re.compile(r"^( *)>>> .*(?:\n\1\S.*)*", re.MULTILINE)


class Fences(griffe.Extension):
    """Put fences around the lines from `>>>` to the next blank line. Without fences they would be quotations in Markdown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = SESSION.sub(r"\1```pycon\n\g<0>\n\1```", obj.docstring.value)
