"""`ludoteca train` on toy games: the weights, the files, and the continuation of a stopped training."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import duel
from duel import value
from ludoteca.core.contract import Floats
from ludoteca.core.game import Game
from ludoteca.core.value import LearnedValue, read_value
from ludoteca.training.batches import GameBatch
from ludoteca.training.checkpoint import FILE, Checkpoint, Folder, read_checkpoint
from ludoteca.training.fitting import Fit
from ludoteca.training.frozen import measure_search
from ludoteca.training.settings import Constants, Settings
from ludoteca.training.trainer import put_together
from ludoteca.training.values import ValueLoss
from tests.arena.tournaments import kill, workers_of
from tests.processes import PATIENCE, run_here

pytestmark = pytest.mark.usefixtures("toys")
ROUND = 200


def train(out: Path, *options: str) -> str:
    """The output of a successful training of Duel."""
    done = run_here("train", "duel", "--out", str(out), "--seed", "5", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def stored(out: Path) -> Checkpoint:
    with ExitStack() as stack:
        checkpoint = Folder(out, stack).read()
    assert checkpoint
    return checkpoint


def weights(out: Path) -> list[float]:
    found: list[float] = stored(out).fit.weights.tolist()
    return found


def start(environment: dict[str, str], out: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "ludoteca", "train", "duel", "--out", str(out), "--seed", "5", *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until_stored(out: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until there is a checkpoint."""
    deadline = time.monotonic() + PATIENCE
    while not (out / FILE).exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)  # between two looks


# weights and output


def test_a_training_tells_how_it_goes_and_leaves_weights_with_a_card(tmp_path: Path) -> None:
    out = tmp_path / "duel"
    lines = train(out, "--games", "2000").splitlines()
    assert lines[0] == "Strength is the share of the wins: 0.5 means equal strength. Errors are in wins."
    assert lines[1].split() == [
        "games",
        "games/s",
        "error",
        "against",
        "the",
        "last",
        "against",
        "greedy",
        "searches",
        "left",
    ]
    assert [line.split()[0] for line in lines[2:-1]] == ["200", "400", "600", "800", "1,000", "1,400", "1,800", "2,000"]
    assert lines[-1] == f"{out / 'ties-shared.npz'}: 30 weights from 2,000 games"
    read = read_value(value, out / "ties-shared.npz")
    assert read.weights == pytest.approx(stored(out).fit.weights, abs=2e-3)
    assert re.fullmatch(
        "ludoteca train duel --cards 6 --ties shared --games 2000 --cores 1 --round 200 --seed 5 --rate 1.0 .*",
        read.card["command"],
    )
    assert read.card["games"] == 2000
    assert "of the wins against greedy" in read.card["strength"]
    assert "error and strength over games" in (out / "curves.svg").read_text()
    numbers = json.loads((out / "training.json").read_text())
    errors = [point["error"] for point in numbers["curve"]]
    assert errors[-1] < 0.8 * errors[0]
    ahead = read.weights[value.AHEAD :]
    assert all(np.diff(ahead[1:4]) > 0), "who is ahead wins"


def test_the_same_seed_learns_the_same_and_a_training_that_was_ended_goes_on_as_if_it_was_not(tmp_path: Path) -> None:
    whole, parts, other = (tmp_path / name for name in ("whole", "parts", "other"))
    train(whole, "--games", "400")
    train(parts, "--games", "200")
    assert len(train(parts, "--games", "400", "--resume").splitlines()) == 5
    assert weights(parts) == weights(whole)
    ours, theirs = (
        [(point.games, point.error, point.reference) for point in stored(out).about.curve] for out in (whole, parts)
    )
    assert ours == theirs
    done = run_here("train", "duel", "--out", str(other), "--seed", "6", "--games", "400")
    assert done.returncode == 0
    assert weights(other) != weights(whole)


def test_several_variants_are_played_in_turn(tmp_path: Path) -> None:
    out = tmp_path / "duel"
    train(out, "--games", "400", "--cards", "4", "--cards", "8")
    assert [variant["cards"] for variant in stored(out).about.settings.variants] == [4, 8]
    assert "--cards 4 --cards 8 --ties shared" in read_value(value, out / "ties-shared.npz").card["command"]
    train(tmp_path / "one", "--games", "400", "--cards", "4")
    own, with_eight = (np.array(weights(folder))[:8] for folder in (tmp_path / "one", out))
    assert not own[4:].any(), "there are no such cards"
    assert with_eight[4:].all()


def settings(game: str, **chosen: Any) -> Settings:
    return Settings(game, ({},), 1, 1, chosen.pop("round", 100), Constants(**chosen))


@pytest.mark.parametrize("bindings", [(False,), pytest.param((False, True), marks=pytest.mark.soak)])
def test_points_are_learned_interpreted_as_they_are_compiled(bindings: tuple[bool, ...]) -> None:
    losses = [ValueLoss(settings("kuhn"), compiled=compiled) for compiled in bindings]
    first, *others = (loss.play(GameBatch(0, 0), loss.new()) for loss in losses)
    low, middle, high = first.fit.weights[:3]
    assert low < middle < high
    for other in others:
        assert (other.actions, other.looks) == (first.actions, first.looks)
        assert other.fit.weights == pytest.approx(first.fit.weights, abs=1e-4)
    measured = [loss.measure(first.fit, None, 30, "test") for loss in losses]
    assert all(each == measured[0] for each in measured)


def learned(*numbers: float) -> Fit:
    arrays: list[Floats] = [np.array(numbers, np.float32) * factor for factor in (1, 2, 3)]
    return Fit(*arrays)


def test_what_two_cores_learned_is_put_together() -> None:
    joined = put_together(learned(1, 1, 1), [learned(1, 2, 2), learned(1, 1, 4)])
    assert joined.weights.tolist() == [1, 2, 3], "a mean of the changes, of those who changed the weight"
    assert joined.drift.tolist() == [2, 4, 10], "the sum of all that was added"
    assert joined.travel.tolist() == [3, 6, 15]
    alone = learned(1, 2, 3)
    assert put_together(learned(0, 0, 0), [alone]) is alone


# whatever ends it


def test_a_training_that_is_killed_goes_on_and_learns_what_it_would_have_learned(
    toys: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    process = start(toys, out, "--games", "1000000000", "--every", "0.1s")
    until_stored(out, process)
    process.kill()
    process.communicate()
    before = stored(out).about
    after = before.games + 2 * ROUND
    (out / f".{FILE}-1.draft").write_bytes(b"half")  # leftovers of a killed training
    train(out, "--games", str(after), "--resume")
    train(tmp_path / "whole", "--games", str(after))
    assert weights(out) == weights(tmp_path / "whole")


def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(toys: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "interrupted"
    process = start(toys, out, "--games", "1000000000")
    until_stored(out, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    games = stored(out).about.games
    assert f"ludoteca: interrupted; {games:,} games are stored in {out}, --resume continues\n" in errors


def test_one_process_trains_in_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "duel"
    with ExitStack() as stack:
        Folder(out, stack)
        done = run_here("train", "duel", "--out", str(out), "--games", "10")
    assert done.stderr == f"ludoteca: {out}: another process trains there\n"


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "full"
    train(out, "--games", "200")
    before = weights(out)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # no file may grow larger
    try:
        done = run_here("train", "duel", "--out", str(out), "--resume", "--games", "600")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert done.returncode == 1
    says = f"ludoteca: {out / FILE}: File too large; what was stored before is not lost, --resume continues\n"
    assert done.stderr.endswith(says)
    assert weights(out) == before
    assert not list(out.glob(".*.draft"))


def test_a_training_ends_when_its_time_is_over(tmp_path: Path) -> None:
    out = tmp_path / "short"
    train(out, "--time", "0.001s")
    played = stored(out).about.games
    assert played >= ROUND, "however fast, a round is played at least"
    train(out, "--time", "0.001s", "--resume")
    assert stored(out).about.games == played, "the time before counts"


def test_a_training_goes_on_to_its_stored_goal(tmp_path: Path) -> None:
    out = tmp_path / "duel"
    train(out, "--games", "200")
    with ExitStack() as stack:  # as after an interruption
        folder, checkpoint = Folder(out, stack), read_checkpoint(out / FILE)
        about = msgspec.structs.replace(checkpoint.about, goal_games=400)
        folder.write(msgspec.structs.replace(checkpoint, about=about))
    train(out, "--resume")
    assert stored(out).about.games == 400
    assert "--games or --time is needed" in run_here("train", "duel", "--out", str(tmp_path / "new"), "--resume").stderr


def test_searches_are_measured_against_greedy_if_there_are_no_weights_before() -> None:
    new = LearnedValue(value, np.zeros(value.FEATURES, np.float32), {})
    found = measure_search([Game(duel.GAME)], new, None, 12, 1)
    assert found.deals == 12
    assert found.mean > 0.5


def test_lambda_falls_with_the_step() -> None:
    loss = ValueLoss(
        Settings("duel", ({"cards": 6, "ties": "shared"},), 1, 1, 100, Constants(decay=100, trace=0.9, trace_end=0.4)),
        compiled=False,
    )
    manners = [loss._manner(before=games) for games in (0, 100, 300)]
    assert [manner.trace for manner in manners] == pytest.approx([0.9, 0.65, 0.525])
    assert [manner.rate for manner in manners] == pytest.approx([1.0, 0.5, 0.25])


# installed weights


def test_weights_are_installed_in_the_game_s_folder(toys: dict[str, str], tmp_path: Path) -> None:
    train(tmp_path / "duel", "--games", "200")
    done = start(toys, tmp_path / "duel", "--resume", "--games", "200", "--install")
    place = tmp_path / "toys" / "duel" / "weights" / "ties-shared.npz"
    assert done.communicate(timeout=PATIENCE)[0].splitlines()[-1] == f"{place}: 30 weights from 200 games"
    assert read_value(value, place).card["games"] == 200


# refusals


def damaged(out: Path) -> None:
    content = (out / FILE).read_bytes()
    (out / FILE).write_bytes(content[: len(content) // 2])


def nothing(_: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("options", "before", "says"),
    [
        ("", nothing, "already holds a training of duel with 200 games: --resume continues it, --out names another folder"),
        ("--resume --rate 0.5 --seed 9", nothing, "holds another training: the seed and the rate changed"),
        ("--resume --cards 5", nothing, "holds another training: the parameters changed"),
        ("--resume", damaged, "checkpoint.npz is no checkpoint: "),
    ],
)
def test_a_folder_that_is_not_fit_to_go_on(tmp_path: Path, options: str, before: Callable[[Path], None], says: str) -> None:
    out = tmp_path / "duel"
    train(out, "--games", "200")
    before(out)
    done = run_here("train", "duel", "--out", str(out), "--games", "400", *options.split())
    assert done.returncode == 1
    assert says in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("duel", "--games or --time is needed"),
        ("duel --time 30w", "read '30w', expected a time, such as 5 (seconds), 0.5s, 30m, 2h or 7d."),
        ("duel --games 9 --cards 9", "cards: read '9', expected a whole number from 4 to 8"),
        ("duel --games 9 --ties shared --ties void", "have weights of their own each, ties-shared, ties-void: train one"),
        ("plain --games 9", "plain has no value.py and no options.py in plain, so there is nothing to learn"),
        ("duel --games 9 --out /dev/null/here", "/dev/null/here: Not a directory"),
        ("duel --games 9 --simulations 9", "No such option '--simulations'"),
    ],
)
def test_what_cannot_be_trained_is_refused(words: str, says: str) -> None:
    done = run_here("train", *words.split())
    assert done.returncode in (1, 2)
    assert says in done.stderr


def test_a_rate_at_which_nothing_can_be_learned_is_told(tmp_path: Path) -> None:
    done = run_here("train", "kuhn", "--games", "400", "--rate", "100", "--out", str(tmp_path / "kuhn"))
    assert done.returncode == 1
    assert done.stderr.endswith("weights grow beyond all bounds: the rate 100.0 is too high for this game\n")


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "duel"
    train(out, "--games", "200")
    with ExitStack() as stack:
        folder = Folder(out, stack)
        checkpoint = folder.read()
        assert checkpoint
        folder.write(Checkpoint(checkpoint.about, learned(1, 2), checkpoint.last))
    done = run_here("train", "duel", "--out", str(out), "--games", "400", "--resume")
    assert done.stderr.endswith(f"ludoteca: {out / FILE} holds 2 weights, expected 30: it was made for other features\n")


# several cores


def test_two_cores_learn_the_same_every_time_also_when_one_of_them_is_killed(toys: dict[str, str], tmp_path: Path) -> None:
    """The settings decide the result. Here a training runs without any other process."""
    out = tmp_path / "two"
    process = start(toys, out, "--games", "1000000000", "--cores", "2", "--every", "0.1s")
    until_stored(out, process)
    workers = workers_of(process)
    os.kill(workers[0], signal.SIGKILL)
    before = read_checkpoint(out / FILE).about.rounds
    while read_checkpoint(out / FILE).about.rounds < before + 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)  # between two looks
    kill(process, workers=False)
    checkpoint = stored(out)
    loss = ValueLoss(checkpoint.about.settings)
    known = loss.new()
    for number in range(checkpoint.about.rounds):
        known = put_together(known, [loss.play(GameBatch(number, core), known).fit for core in range(2)])
    assert known.weights.tolist() == checkpoint.fit.weights.tolist()
