"""The five programs of the document for the judge: four exercises (*guiões*) and the player of the tournament (*jogador*).

`core.judging` explains cases, branches, extras and plans. The input of a guião is a number of *tests*, and its answer has a
line or more for each. A *play* is what a player does in a turn: a combination of cards, or a pass. It *answers* the last
combination on the table, or *leads* if there is none. A combination's *shape* is its type and its size. An *exception* is an
answer to kings by another shape, which the document allows. `branches` lists the sentences, `hands` and `plays` make random
cards and answers for each branch, and each other module is a part, or helps several.
"""

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
