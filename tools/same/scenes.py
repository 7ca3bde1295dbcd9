"""Scenes and pictures of positions, and screens of the terminal."""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from tools.same.faces import (
    call,
    chance,
    empty_folder,
    files_in,
    options_of,
    played,
    seed_of_a_game,
    variants,
    walk,
)

POSITIONS: Final = 36
"""The number of positions of each variant whose scenes are drawn."""
LANGUAGES: Final = ("ca", "en", "es", "pt", "ro")


def scene_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """The scenes of positions of random games for every seat, and the spectator's picture."""
    for variant, game, parameters in variants():
        count, seed = 0, 0
        while count < (POSITIONS // 5 if short else POSITIONS):
            every = chance(variant, seed).randrange(2, 6)
            for ply, (state, _) in enumerate(walk(game, parameters, seed)):
                if ply % every == 0 or state.is_terminal():
                    seats = range(-1, state.game.num_players())
                    scenes = {str(seat): msgspec.to_builtins(state.scene(seat)) for seat in seats}
                    yield f"scene/{variant}/{seed}/{ply}", scenes | {"picture": state._repr_svg_()}
                    count += 1
            seed += 1


def picture_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Pictures that `ludoteca record` draws."""
    for number, (variant, game, parameters) in enumerate(variants()):
        state = played(game, parameters, 1, 12)
        calls = [
            ["svg", "--language", LANGUAGES[number % 5]],
            ["svg", "--plain", "--move", "3", "--seat", "1", "--theme", "dark"],
            ["png", "--width", "200", "--move", "5"],
            ["gif", "--width", "120", "--delay", "0.2"],
        ]
        for kind, *options in calls[number % 2 :: 3] if short else calls:
            with empty_folder() as folder:
                (folder / "game.json").write_text(state.serialize(), encoding="utf-8")
                done = call(["record", kind, "game.json", *options], folder)
                drawn = {name: readable(content) for name, content in files_in(folder).items() if name != "game.json"}
                yield f"picture/{variant}/{' '.join([kind, *options])}", done | {"files": drawn}


def readable(content: bytes) -> str:
    """A text as it is, and what other files hold as a digest."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"


def screen_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Games in the terminal: of persons at one screen, and of a person against agents, with refused input."""
    for number, (variant, game, parameters) in enumerate(variants()):
        for shift, language in enumerate(LANGUAGES):
            if (number + shift) % (8 if short else 2):
                continue
            seed = str(seed_of_a_game(game, parameters, 3))
            options = [*options_of(parameters), "--seed", seed, "--language", language, "--save", "game.json"]
            typed = list[str]()
            for state, action in walk(game, parameters, 3, 12):  # each person may be asked first whether they are alone
                typed += ["", state.action_to_string(action)] if action is not None else ["q"]
            yield from _screen(f"{variant}/{language}/persons", game, [*options, "--opponent", "person"], typed)
            state, some = played(game, parameters, 3, 0), chance(variant, language)
            moves = [state.action_to_string(action) for action in state.legal_actions()]
            typed = [
                "help",
                "nonsense",
                "rules",
                "",
                "",
                "q",
                some.choice(moves),
                "help",
                some.choice(moves),
                "-1",
                "zz",
                *["q"] * (number % 2),
            ]
            yield from _screen(f"{variant}/{language}/agents", game, [*options, "--opponent", "greedy"], typed)


def _screen(name: str, game: str, options: list[str], typed: list[str]) -> Iterator[tuple[str, Any]]:
    with empty_folder() as folder:
        done = call(["play", game, *options], folder, "\n".join([*typed, ""]).encode(), COLUMNS=str(70 + len(name)))
        yield f"screen/{name}", done | {"files": {name: readable(content) for name, content in files_in(folder).items()}}


def cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """All of them."""
    yield from scene_cases(short=short)
    yield from picture_cases(short=short)
    yield from screen_cases(short=short)
