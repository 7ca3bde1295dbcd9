"""The five programs of the document for the judge: their branches and cases."""

from typing import Final

from ludoteca.core.judging import Part
from ludoteca.games.cartas.judging.after import After
from ludoteca.games.cartas.judging.classify import Classify
from ludoteca.games.cartas.judging.compare import Compare
from ludoteca.games.cartas.judging.listing import Listing
from ludoteca.games.cartas.judging.player import Player

PARTS: Final[dict[str, Part]] = {
    "guiao1": Classify(),
    "guiao2": Compare(),
    "guiao3": After(),
    "guiao4": Listing(),
    "jogador": Player(),
}
