"""Messages in words: templates, names of seats, lists."""

from pathlib import Path

import pytest

import mutants
from ludoteca.core.messages import LANGUAGES, LIST, PICTURE, ROW, SEAT, Message, catalogue, in_words, language_of

TEMPLATES = {language: catalogue("ludoteca.core", language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("language", "one", "two", "three"),
    [
        ("ca", "Ana", "Ana i Bob", "Ana, Bob i Ivo"),
        ("pt", "Ana", "Ana e Bob", "Ana, Bob e Ivo"),
        ("ro", "Ana", "Ana și Bob", "Ana, Bob și Ivo"),
        ("es", "Ana", "Ana y Bob", "Ana, Bob e Ivo"),
        ("en", "Ana", "Ana and Bob", "Ana, Bob and Ivo"),
    ],
)
def test_a_list_is_written_as_in_the_language(language: str, one: str, two: str, three: str) -> None:
    lists: list[Message] = [(LIST, "Ana"), (LIST, "Ana", "Bob"), (LIST, "Ana", "Bob", "Ivo")]
    assert [in_words(each, TEMPLATES[language]) for each in lists] == [one, two, three]


@pytest.mark.parametrize(("last", "text"), [("Iris", "e"), ("hilo", "e"), ("hielo", "y"), ("Hiato", "y")])
def test_spanish_does_not_write_y_before_the_sound_of_i(last: str, text: str) -> None:
    assert in_words((LIST, "Ana", last), TEMPLATES["es"]) == f"Ana {text} {last}"


def test_a_list_has_messages_and_names_in_it() -> None:
    listed = (LIST, (SEAT, 0), (SEAT, 1), ("line.many", 7))
    assert in_words(listed, TEMPLATES["en"], ["{1}"]) == "{1}, player 2 and 7 lines"


def test_a_row_has_no_words_between() -> None:
    assert in_words((ROW, ("line.one", 1), "b"), TEMPLATES["en"]) == "1 line b"


def test_a_picture_is_its_words_where_there_are_no_pictures() -> None:
    shown = (LIST, (PICTURE, ("line.many", 7), "tile", 90, ""), (PICTURE, "ab", "army", 0, "player-0"))
    assert in_words(shown, TEMPLATES["en"]) == "7 lines and ab"


def test_english_stands_in_for_a_language_that_a_game_lacks() -> None:
    assert [language_of("kuhn", language) for language in LANGUAGES] == ["en"] * len(LANGUAGES)
    assert [language_of("duel", language) for language in LANGUAGES] == list(LANGUAGES)
    texts = catalogue("kuhn", "ca")
    assert in_words(("refused", 7), texts) == "there is no action 7"
    assert in_words((SEAT, 0), texts) == in_words((SEAT, 0), TEMPLATES["ca"]) == "jugador 1"


def test_a_game_without_texts_in_english_is_refused(tmp_path: Path) -> None:
    spec = mutants.load(tmp_path)
    spec.file("messages/en.json").unlink()
    spec.file("messages/ca.json").unlink()
    assert language_of(spec.package, "ro") == "ro"
    with pytest.raises(LookupError, match=rf"{spec.package} has no messages/en\.json"):
        catalogue(spec.package, "ca")


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(LookupError, match="there is no text for 'nowhere'"):
        in_words(("nowhere", 1), TEMPLATES["en"])
