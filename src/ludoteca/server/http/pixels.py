"""Pictures of positions as PNG, where what draws them is installed."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from ludoteca.core.errors import MissingExtraError
from ludoteca.core.scene import Scene
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import paint
from ludoteca.server.refusals import RefusalError

PNG: Final = "image/png"
HAS_PNG: Final = find_spec("resvg_py") is not None
"""Whether pages offer such pictures: told without loading what draws them."""


def png_of(spec: GameSpec, scene: Scene, theme: str, seats: Sequence[str] = ()) -> bytes:
    """The scene as a PNG file; `seats` are the names of the players. Raises RefusalError where that is not installed."""
    try:
        from ludoteca.pictures.files import png
    except MissingExtraError:
        raise RefusalError("pictures") from None
    return png(spec, paint(spec, scene, theme, seats), theme, spec.title)
