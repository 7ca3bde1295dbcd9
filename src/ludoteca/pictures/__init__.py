"""Pictures of games as plain SVG, PNG, GIF and arrays, all of the scenes that the browser draws.

They need the extra `pictures`. SVG for browsers and notebooks is made by `core.svg`, which needs nothing.
"""

from ludoteca.core.errors import MissingExtraError

try:
    import cssselect2  # noqa: F401
    import PIL  # noqa: F401
    import resvg_py  # noqa: F401
    import tinycss2  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "pictures") from None
