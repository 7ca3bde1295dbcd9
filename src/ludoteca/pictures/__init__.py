"""Pictures of games as plain SVG, PNG, GIF and arrays. They show the scenes that the browser draws.

**A scene** describes what a player sees as *items*, such as cards, each with a *symbol* and a place (`core.scene`).
`core.svg` draws it as SVG with CSS, for browsers and notebooks, and needs no extra. A *theme* is the light or the dark set
of colours.

**Plain SVG** (`plain`) is the same picture for programs that know little of CSS. `styles` computes the style of each element
from the rules of CSS, and writes it into the element.

**Pixels** come from *tiles*: small images, each of one item, which are put on top of each other (`tiles`). Few items change
between two moves, so most tiles are used again. `raster` returns arrays, and `files` writes PNG and GIF.

This package needs the extra `pictures`.
"""

from ludoteca.core.errors import MissingExtraError

try:
    import cssselect2  # noqa: F401
    import PIL  # noqa: F401
    import resvg_py  # noqa: F401
    import tinycss2  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "pictures") from None
