"""The law of rules pages: they begin with the aim, and have headings and pictures that the game can draw."""

from typing import Final

from ludoteca.core.errors import LudotecaError
from ludoteca.core.guide import KINDS, Guide, Picture, guide_of, picture_of, state_of, words_of
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, require
from ludoteca.testing.words import Words

FEWEST_SECTIONS: Final = 2
"""A guide has a section about a turn and a section about the end of the game."""


def guides_are_sound(spec: GameSpec, effort: Effort) -> None:  # noqa: ARG001  # every section is checked
    """Require that a game's guide has an aim, sections and texts in all languages. Its pictures show and mark real items."""
    guide = guide_of(spec)
    if guide is None:
        return
    words = Words(spec)
    words.check_sentence(guide.aim, "the aim in the guide", None)
    names = [section.id for section in guide.sections]
    require(len(names) >= FEWEST_SECTIONS, spec, f"the guide has {len(names)} sections: expected {FEWEST_SECTIONS} or more")
    require(len(set(names)) == len(names), spec, f"sections of the guide have the same id: {names}")
    for section in guide.sections:
        where = f"section {section.id} of the guide"
        require(section.id.isidentifier() and section.id.islower(), spec, f"{where}: expected an id of small letters")
        words.check_sentence(section.title, f"the heading of {where}", None)
        require(bool(section.parts), spec, f"{where} is empty")
        for part in section.parts:
            told = [part.told] if part.told else []
            require(bool(told or part.points or part.picture), spec, f"{where} has an empty part")
            for message in (*told, *part.points):
                words.check_sentence(message, where, None)
            if part.picture:
                _check_picture(spec, guide, part.picture, where, words)


def _check_picture(spec: GameSpec, guide: Guide, picture: Picture, where: str, words: Words) -> None:
    try:
        state, seat, highlighted = state_of(spec, guide, picture)
        scene = spec.module("scene").draw(state.view(seat).raw, seat, highlighted)
        cut = picture_of(scene, picture)
    except LudotecaError as error:
        raise broken(spec, f"{where}: {error}") from None
    words.check_sentence(picture.caption, f"a caption in {where}", state)
    words.check_sentence(words_of(scene, picture), f"the words for a picture in {where}", state)
    for mark in picture.marks:
        require(mark.kind in KINDS, spec, f"{where} has a mark of kind {mark.kind!r}: expected one of {', '.join(KINDS)}")
        words.check(mark.text, f"a mark in {where}", state.game.num_players(), state)
    for item in cut.items:
        if item.classes.startswith("mark "):
            inside = 0 <= item.x <= cut.width and 0 <= item.y <= cut.height
            require(inside, spec, f"{where}: {item.id} is outside the picture")
