"""The work of `ludoteca train`."""

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from ludoteca.cli.chart import Chart, Line, Panel, draw
from ludoteca.cli.parameters import read_chosen
from ludoteca.cli.progress import progress
from ludoteca.cli.settings import drawn
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn
from ludoteca.cli.train import SEED_BITS, TrainSettings, names_of
from ludoteca.core import registry
from ludoteca.core.errors import explained
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import write_value
from ludoteca.core.words import counted
from ludoteca.training.batches import Loss, Strength
from ludoteca.training.checkpoint import About, Checkpoint, Folder, Point, check_fits
from ludoteca.training.settings import Settings, TrainingError, constants_of, round_of, weights_name
from ludoteca.training.trainer import Goal, Training, new_loss, new_pool

CURVES: Final = "curves.svg"
PANEL_HEIGHT: Final = 190
"""The height of each panel of the curves, in units of the picture."""


def run(spec: GameSpec, settings: TrainSettings, given: Mapping[str, tuple[str, ...]]) -> None:
    wanted = settings_of(spec, settings, given)
    name = weights_name([Game(spec, variant) for variant in wanted.variants])
    with ExitStack() as stack:
        folder = Folder(settings.out or Path("training") / f"{spec.name}-{name}", stack)
        stored = _begin(folder, wanted, settings, any(given.values()))
        with progress(f"Compiling the rules of {spec.title}, only this time", measured=False):
            loss = new_loss(stored.about.settings if stored else wanted)
        check_fits(stored, loss, folder)
        pool = new_pool(loss.settings, settings.ray)
        stack.enter_context(pool or nullcontext())
        training = Training(loss, pool, stored)
        _say_headings(loss)
        try:
            _go_on(training, Goal(settings.games, settings.time), folder, settings.every)
        except KeyboardInterrupt:
            folder.write(training.now)
            warn(f"interrupted; {training.now.about.games:,} games are stored in {folder.path}, --resume continues")
            sys.exit(INTERRUPTED)
        _finish(spec, training, folder, settings.install)


def settings_of(spec: GameSpec, settings: TrainSettings, given: Mapping[str, tuple[str, ...]]) -> Settings:
    """Return the settings of a training from the options, and the given values of the game's parameters."""
    names = [kind.name for kind in spec.parameters]
    products = product(*(given[name] or (None,) for name in names))
    variants = [Game(spec, read_chosen(spec, dict(zip(names, values, strict=True)))).parameters for values in products]
    seed = drawn(settings.seed, SEED_BITS)
    chosen = {name: value for name in names_of(spec) if (value := getattr(settings, name)) is not None}
    constants = msgspec.structs.replace(constants_of(spec), **chosen)
    return Settings(spec.name, tuple(variants), seed, settings.cores or 1, settings.round or round_of(spec), constants)


def _begin(folder: Folder, wanted: Settings, settings: TrainSettings, has_parameters: bool) -> Checkpoint | None:
    """Return the stored training, if there is one. Raises TrainingError if it must not go on, or is another training."""
    stored = folder.read()
    if stored is None:
        return None
    before = stored.about.settings
    if not settings.resume:
        raise TrainingError(
            f"{folder.path} already holds a training of {before.game} with {counted(stored.about.games, 'game')}: --resume "
            "continues it, --out names another folder"
        )
    numbers = {"seed": before.seed, "cores": before.cores, "round": before.round, **msgspec.structs.asdict(before.constants)}
    other = [name for name, value in numbers.items() if getattr(settings, name) not in (None, value)]
    if before.game != wanted.game:
        other.append("game")
    elif has_parameters and before.variants != wanted.variants:
        other.append("parameters")
    if changed := " and the ".join(other):
        raise TrainingError(f"{folder.path} holds another training: the {changed} changed; --out names another folder")
    return stored


def _go_on(training: Training, goal: Goal, folder: Folder, every: float) -> None:
    """Train to the end, with checkpoints. Raises KeyboardInterrupt, and TrainingError."""
    with interruptible(), progress("Training", remaining=True) as update:
        kept = time.perf_counter()
        _say_points(training.now.about.curve, 0, goal)
        shown = len(training.now.about.curve)
        while goal.share(training.now.about) < 1 or not training.is_measured():
            if goal.share(training.now.about) < 1:
                training.go_on()
            else:
                training.come_to_a_point(final=True)
            about = training.now.about
            update(min(1.0, goal.share(about)))
            _say_points(about.curve, shown, goal)
            if len(about.curve) > shown or time.perf_counter() - kept > every:
                folder.write(training.now)
                if about.curve:
                    title, loss = f"{about.settings.game}: {about.games:,} games", training.loss
                    drawn = curves(title, about.curve, loss.reference, loss.even, loss.unit)
                    folder.put(CURVES, drawn.encode())
                kept, shown = time.perf_counter(), len(about.curve)
        folder.write(training.now)


def curves(title: str, points: Sequence[Point], reference: str, even: float, unit: str) -> str:
    """Return the curves of error and strength as SVG. `even` is the strength of equals."""
    found = {"the last": [point.last for point in points], reference: [point.reference for point in points]}
    strengths = [
        Line(f"against {name}", *zip(*((one.mean, one.low, one.high) for one in each), strict=True))
        for name, each in found.items()
    ]
    errors = [Line("error", [point.error for point in points])]
    panels = [
        Panel(f"error, in {unit}", PANEL_HEIGHT, errors, (0.0,)),
        Panel(f"strength, in {unit}, at one ply", PANEL_HEIGHT, strengths, (even,), level=even),
    ]
    games = [point.games for point in points]
    return draw(Chart(title, f"{title}: error and strength over games", "games", games, panels, logarithmic=True))


def _say_headings(loss: Loss) -> None:
    what = f"the share of the {loss.unit}" if loss.unit == "wins" else "the lead in points"
    say(f"Strength is {what}: {loss.even:.3g} means equal strength. Errors are in {loss.of_errors}.")
    against = f"against {loss.reference}"
    say(f"{'games':>12} {'games/s':>8} {'error':>7} {'against the last':>22} {against:>22} {'left':>6}")


def _say_points(curve: Sequence[Point], shown: int, goal: Goal) -> None:
    """Print a line of the table for each new point. The speed is that since the previous point."""
    for number in range(shown, len(curve)):
        point = curve[number]
        games, seconds = (curve[number - 1].games, curve[number - 1].seconds) if number else (0, 0.0)
        pace = (point.games - games) / max(1e-9, point.seconds - seconds)
        last, reference, left = _spread(point.last), _spread(point.reference), _duration(goal.left(point, pace))
        say(f"{point.games:12,} {pace:8,.0f} {point.error:7.4f} {last:>22} {reference:>22} {left:>6}")


def _spread(strength: Strength) -> str:
    return f"{strength.mean:.3f} ({strength.low:.3f} to {strength.high:.3f})"


def _duration(seconds: float) -> str:
    """Return a time in the largest unit in which it is at least 2: `90 s`, `30 m`, `4 h`."""
    for unit, size in (("h", 3600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _finish(spec: GameSpec, training: Training, folder: Folder, install: bool) -> None:
    """Write the weights with their card, with `install` also to the game's folder. Raises LudotecaError."""
    about = training.now.about
    path = spec.file(f"weights/{weights_name([Game(spec, about.settings.variants[0])])}.npz")
    card = card_of(about, training.loss)
    places = [folder.path / path.name, *([path] if install else [])]
    for place in places:
        with explained(str(place), TrainingError, f"; the training is stored in {folder.path}"):
            write_value(place, training.now.fit.weights, card)
        say(f"{place}: {counted(len(training.now.fit.weights), 'weight')} from {about.games:,} games")


def card_of(about: About, loss: Loss) -> dict[str, Any]:
    """Return the description of the weights: the command, the date, the number of games, and the strength."""
    settings, point = about.settings, about.curve[-1]
    constants = {name: getattr(settings.constants, name) for name in names_of(registry.find(settings.game))}
    numbers = {"games": about.games, "cores": settings.cores, "round": settings.round, "seed": settings.seed, **constants}
    parameters = dict.fromkeys((name, variant[name]) for name in settings.variants[0] for variant in settings.variants)
    words = ["ludoteca", "train", settings.game]
    words += [word for name, value in (*parameters, *numbers.items()) for word in (f"--{name}", str(value))]
    unit = "of the wins" if loss.unit == "wins" else "points more"
    against = f"against {loss.reference}, {counted(point.reference.deals, 'deal')}, {loss.how}"
    return {
        "command": shlex.join(words),
        "date": datetime.now(UTC).date().isoformat(),
        "games": about.games,
        "strength": f"{_spread(point.reference)} {unit} {against}",
        "seconds": round(about.seconds),
        "error": round(point.error, 4),
    }
