"""What ships was learned by commands that its cards name: they are read as typed, and a little of each is played."""

import shlex
from typing import Final

import click
import msgspec
import pytest

from ludoteca.cli.train import command as train
from ludoteca.cli.train import settings_of
from ludoteca.core import registry
from ludoteca.core.value import read_card
from ludoteca.training.batches import GameBatch
from ludoteca.training.trainer import new_loss

SHIPPED = {
    f"{name}-{file.stem}": (name, file)
    for name in registry.names()
    for file in sorted(registry.find(name).file("weights").glob("*.npz"))
}
ONE_OF_EACH = {name: each for each, (name, _) in SHIPPED.items()}.values()
"""In every run, one of each game."""

FIRST: Final = 2
"""Games. One may end as it was expected from the start, and then nothing is learned from it."""

FEW: Final = 15
"""Simulations of a search that a policy is learned from: with interpreted rules, those of the command take minutes."""


@pytest.mark.parametrize(
    "shipped", [pytest.param(each, marks=[] if each in ONE_OF_EACH else [pytest.mark.soak]) for each in SHIPPED]
)
def test_the_command_of_a_card_makes_these_weights(shipped: str) -> None:
    name, file = SHIPPED[shipped]
    spec = registry.find(name)
    card = read_card(file)
    program, command, game, *words = shlex.split(card["command"])
    assert (program, command, game) == ("ludoteca", "train", name)
    given = train.get_command(click.Context(train), spec.name).make_context("train", words).params
    chosen = given.pop("settings")
    assert chosen.games == card["games"]
    settings = settings_of(spec, chosen, given)
    assert settings.weights_name() == file.stem
    few = msgspec.structs.replace(settings.constants, simulations=FEW)
    some = msgspec.structs.replace(settings, round=FIRST, variants=settings.variants[:1], constants=few)
    loss = new_loss(some, compiled=False)
    report = loss.play(GameBatch(0, 0), loss.new())
    assert (report.fit.weights != loss.new().weights).any(), "what it would learn from its first games"
