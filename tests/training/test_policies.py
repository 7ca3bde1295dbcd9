"""`ludoteca train` of a policy, on a toy: the weights from games of others, which are the same every time."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca.core.value import read_weights
from ludoteca.training.batches import GameBatch
from ludoteca.training.checkpoint import FILE, read_checkpoint
from ludoteca.training.fitting import Fit
from ludoteca.training.policies import PolicyLoss
from ludoteca.training.settings import Constants, Settings
from tests.processes import run_here

pytestmark = pytest.mark.usefixtures("toys")


def settings(**chosen: Any) -> Settings:
    return Settings("joust", ({},), 1, 1, chosen.pop("round", 20), Constants(**chosen))


def train(out: Path, *options: str) -> str:
    done = run_here("train", "joust", "--out", str(out), "--seed", "5", "--greedy", "1", "--round", "20", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_greedy_players_play_is_learned_and_told_and_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    lines = train(whole, "--games", "100", "--rate", "10").splitlines()
    assert lines[0] == "Strength is the share of the wins: 0.5 means equal strength. Errors are in probability."
    assert lines[-1] == f"{whole / 'policy.npz'}: 176 weights from 100 games"
    weights, card = read_weights(whole / "policy.npz", 176)
    assert re.fullmatch(
        "ludoteca train joust --cards 6 --ties shared --games 100 --cores 1 --round 20 --seed 5 "
        "--rate 10.0 --explore 0.05 --simulations 1000 --greedy 1.0",
        card["command"],
    )
    assert card["strength"].endswith("deals, by the likeliest option")
    curve = read_checkpoint(whole / FILE).about.curve
    assert curve[-1].error < 0.7 * curve[0].error
    assert curve[-1].reference.mean > 0.4, "nearly greedy play"
    assert weights[5] > weights[0], "greedy players play the higher card"
    train(parts, "--games", "40", "--rate", "10")
    train(parts, "--games", "100", "--resume")
    assert (read_weights(parts / "policy.npz", 176)[0] == weights).all()


def test_searches_are_learned_from_interpreted(tmp_path: Path) -> None:
    loss = PolicyLoss(settings(round=6, simulations=30, rate=10.0), compiled=False)
    reports = [loss.play(GameBatch(0, 0), loss.new()) for _ in range(2)]
    assert (reports[0].fit.weights == reports[1].fit.weights).all()
    assert reports[0].looks > 6
    assert np.count_nonzero(reports[0].fit.weights) > 6


def test_batches_are_the_same_interpreted_and_compiled() -> None:
    losses = [PolicyLoss(settings(greedy=1.0), compiled=compiled) for compiled in (False, True)]
    one, two = (loss.play(GameBatch(0, 0), loss.new()) for loss in losses)
    assert (one.actions, one.looks) == (two.actions, two.looks)
    assert one.fit.weights == pytest.approx(two.fit.weights, abs=1e-4)
    contrary = Fit(*(-numbers for numbers in two.fit))
    for other in (contrary, None):
        found = [loss.measure(two.fit, other, 20, "test") for loss in losses]
        assert found[0] == found[1]
