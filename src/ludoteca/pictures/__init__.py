"""Pictures of games as plain SVG, PNG, GIF and arrays. They show the scenes that the browser draws.

This package needs the extra `pictures`. `core.svg` makes SVG for browsers and notebooks and needs no extra.
"""

from ludoteca.core.errors import MissingExtraError

try:
    import cssselect2  # noqa: F401
    import PIL  # noqa: F401
    import resvg_py  # noqa: F401
    import tinycss2  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "pictures") from None
