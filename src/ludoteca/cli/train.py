"""`ludoteca train GAME`: learn a game's evaluation function or policy from games (docs/training.md)."""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click
import msgspec

from ludoteca.cli.options import COUNT, FOLDER, Duration, SeedNumber
from ludoteca.cli.parameters import GamesGroup, options_for, read_chosen
from ludoteca.cli.progress import progress
from ludoteca.cli.settings import Ray, Setting, SettingsCommand, drawn
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn
from ludoteca.core import registry
from ludoteca.core.errors import explained
from ludoteca.core.learned import MODULE, OPTIONS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted
from ludoteca.training.settings import (
    ROUND,
    Constants,
    Settings,
    TrainingError,
    constants_of,
    learns_policy,
    names_of,
    round_of,
)

if TYPE_CHECKING:  # NumPy and the searches, which wrong options do not need
    from ludoteca.training.batches import Loss, Strength
    from ludoteca.training.checkpoint import About, Checkpoint, Folder, Point
    from ludoteca.training.trainer import Goal, Training

CURVES: Final = "curves.svg"
PANEL_HEIGHT: Final = 190
"""The height of each panel of the curves, in units of the picture."""
SEED_BITS: Final = 63
MANY: Final = click.IntRange(1, 1_000_000)
SHARE: Final = click.FloatRange(0, 1)
CORES_HELP: Final = "processes that play at once; another number gives other weights  [default: 1]"
ROUND_HELP: Final = "the games that each process plays before their weights are combined"
SEED_HELP: Final = "the same seed with the same --cores gives the same weights  [default: drawn]"
NO_GOAL: Final = "--games or --time is needed"
OPENING_HELP: Final = "the maximum number of random actions at the start of a game"
DECAY_HELP: Final = "halve the step after this many games; 0: each weight slows down on its own (TC learning)"
WIDTH_HELP: Final = "compare this many actions, the best by the heuristics; 1: learn from games of greedy players"


@dataclass(frozen=True)
class TrainSettings:
    """The options of `ludoteca train GAME`, in addition to the game's parameters. Constants are None by default."""

    games: Annotated[int | None, Setting("end after this many games, with those before --resume", COUNT)] = None
    time: Annotated[float | None, Setting("end after this time: 90s, 30m, 1.5h; needed without --games", Duration())] = None
    out: Annotated[Path | None, Setting("the folder of the training  [default: training/GAME-WEIGHTS]", FOLDER)] = None
    resume: Annotated[bool, Setting("continue the training in DIR, if there is one")] = False
    cores: Annotated[int | None, Setting(CORES_HELP, click.IntRange(1, 256))] = None
    ray: Ray = None
    round: Annotated[int | None, Setting(ROUND_HELP, MANY, metavar="GAMES")] = None
    seed: Annotated[int | None, Setting(SEED_HELP, SeedNumber(SEED_BITS))] = None
    rate: Annotated[float | None, Setting("the step size at the start", click.FloatRange(0, 100, min_open=True))] = None
    decay: Annotated[int | None, Setting(DECAY_HELP, click.IntRange(min=0), metavar="GAMES")] = None
    trace: Annotated[float | None, Setting("lambda: 1 learns only from ends, 0 only from the next position", SHARE)] = None
    trace_end: Annotated[float | None, Setting("lambda falls towards this number, together with the step", SHARE)] = None
    explore: Annotated[float | None, Setting("the share of random actions", SHARE)] = None
    opening: Annotated[int | None, Setting(OPENING_HELP, click.IntRange(0, 1000))] = None
    width: Annotated[int | None, Setting(WIDTH_HELP, click.IntRange(1, 1 << 20))] = None
    simulations: Annotated[int | None, Setting("the simulations of each search", MANY)] = None
    greedy: Annotated[float | None, Setting("the share of games of greedy players", SHARE)] = None
    every: Annotated[float, Setting("the time between two checkpoints", Duration())] = 30.0
    install: Annotated[bool, Setting("also write the weights to the game's folder at the end")] = False


class _TrainCommand(SettingsCommand):
    """The command `ludoteca train NAME`. Only its help reads the default constants, because reading them loads NumPy."""

    def __init__(self, spec: GameSpec) -> None:
        policy = learns_policy(spec)
        what, source = ("policy", "from games of searches") if policy else ("evaluation function", "from self-play")
        super().__init__(
            name=spec.name,
            settings=TrainSettings,
            params=options_for(spec, multiple=True),
            callback=partial(_train, spec),
            help=f"Learn the {what} of {spec.title} {source}, for agents that search.",
            short_help=f"the {what} of {spec.title}, {source}",
        )
        others = {*Constants.__struct_fields__} - {*names_of(spec)}
        self.params = [option for option in self.params if option.name not in others]
        self._spec = spec

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options with their default values in this game."""
        known = self._spec.has(MODULE) or self._spec.has(OPTIONS)
        usual, games = (constants_of(self._spec), round_of(self._spec)) if known else (Constants(), ROUND)
        defaults = msgspec.structs.asdict(usual) | {"round": games}
        for option in self.params:
            if isinstance(option, click.Option) and option.name in defaults:
                option.help = f"{option.help}  [default: {defaults[option.name]}]"
        super().format_options(ctx, formatter)


def _train(spec: GameSpec, settings: TrainSettings, **given: tuple[str, ...]) -> None:
    """Learn the evaluation function or the policy that agents use (docs/training.md).

    An interrupted training continues with --resume. `ludoteca train GAME --help` lists the options. For a first look:

        ludoteca train GAME --time 30s --out somewhere
    """
    has_goal = settings.games is not None or settings.time is not None
    if not has_goal and not settings.resume:
        raise click.UsageError(NO_GOAL)
    from ludoteca.training import checkpoint, trainer

    wanted = settings_of(spec, settings, given)
    name = wanted.weights_name()
    with ExitStack() as stack:
        folder = checkpoint.Folder(settings.out or Path("training") / f"{spec.name}-{name}", stack)
        stored = _begin(folder, wanted, settings, any(given.values()))
        if not has_goal and (stored is None or (stored.about.goal_games is None and stored.about.goal_seconds is None)):
            raise click.UsageError(NO_GOAL)
        with progress(f"Compiling the rules of {spec.title}, only this time", measured=False):
            loss = trainer.new_loss(stored.about.settings if stored else wanted)
        checkpoint.check_fits(stored, loss, folder)
        pool = stack.enter_context(trainer.new_pool(loss.settings, settings.ray) or nullcontext())
        frozen = folder.frozen(loss.settings.games(compiled=False)[0], is_new=stored is None)
        training = trainer.Training(loss, pool, stored, frozen)
        if has_goal:
            training.aim(settings.games, settings.time)
        _say_headings(loss)
        try:
            about = training.now.about
            _go_on(training, trainer.Goal(about.goal_games, about.goal_seconds), folder, settings.every)
        except KeyboardInterrupt:
            folder.write(training.now)
            warn(f"interrupted; {training.now.about.games:,} games are stored in {folder.path}, --resume continues")
            sys.exit(INTERRUPTED)
        _finish(spec, training, folder, settings.install)


def settings_of(spec: GameSpec, settings: TrainSettings, given: Mapping[str, tuple[str, ...]]) -> Settings:
    """Return the settings of a training from the options, and the given values of the game's parameters."""
    from itertools import product

    from ludoteca.core.game import Game

    names = [kind.name for kind in spec.parameters]
    products = product(*(given[name] or (None,) for name in names))
    variants = [Game(spec, read_chosen(spec, dict(zip(names, values, strict=True)))).parameters for values in products]
    seed = drawn(settings.seed, SEED_BITS)
    chosen = {name: value for name in names_of(spec) if (value := getattr(settings, name)) is not None}
    constants = msgspec.structs.replace(constants_of(spec), **chosen)
    return Settings(spec.name, tuple(variants), seed, settings.cores or 1, settings.round or round_of(spec), constants)


def _begin(folder: "Folder", wanted: Settings, settings: TrainSettings, has_parameters: bool) -> "Checkpoint | None":
    """Return the stored training, if the folder has one. Raises TrainingError if it must not be continued, or has other
    settings.
    """
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


def _go_on(training: "Training", goal: "Goal", folder: "Folder", every: float) -> None:
    """Train to the end, with checkpoints.

    Raises KeyboardInterrupt after Ctrl-C, and TrainingError if the training fails or a file cannot be written.
    """
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


def curves(title: str, points: "Sequence[Point]", reference: str, even: float, unit: str) -> str:
    """Return the curves of error and strength as SVG. `even` is the strength of equals."""
    from ludoteca.cli.chart import Chart, Line, Panel, draw

    found = {"the last": [point.last for point in points], reference: [point.reference for point in points]}
    strengths = [
        Line(f"against {name}", *zip(*((one.mean, one.low, one.high) for one in each), strict=True))
        for name, each in found.items()
    ]
    if searched := {point.games: point.search for point in points if point.search}:
        means, low, high = zip(*((one.mean, one.low, one.high) for one in searched.values()), strict=True)
        strengths.append(Line("searches", means, low, high, list(searched)))
    errors = [Line("error", [point.error for point in points])]
    panels = [
        Panel(f"error, in {unit}", PANEL_HEIGHT, errors, (0.0,)),
        Panel(f"strength, in {unit}, at one ply and by searches", PANEL_HEIGHT, strengths, (even,), level=even),
    ]
    games = [point.games for point in points]
    return draw(Chart(title, f"{title}: error and strength over games", "games", games, panels, logarithmic=True))


def _say_headings(loss: "Loss") -> None:
    what = f"the share of the {loss.unit}" if loss.unit == "wins" else "the lead in points"
    say(f"Strength is {what}: {loss.even:.3g} means equal strength. Errors are in {loss.of_errors}.")
    against = f"against {loss.reference}"
    say(f"{'games':>12} {'games/s':>8} {'error':>7} {'against the last':>22} {against:>22} {'searches':>22} {'left':>6}")


def _say_points(curve: "Sequence[Point]", shown: int, goal: "Goal") -> None:
    """Print a line of the table for each new point. The speed is that since the previous point."""
    for number in range(shown, len(curve)):
        point = curve[number]
        games, seconds = (curve[number - 1].games, curve[number - 1].seconds) if number else (0, 0.0)
        pace = (point.games - games) / max(1e-9, point.seconds - seconds)
        strengths = (f"{_spread(one) if one else '-':>22}" for one in (point.last, point.reference, point.search))
        left = _duration(goal.left(point, pace))
        say(f"{point.games:12,} {pace:8,.0f} {point.error:7.4f} {' '.join(strengths)} {left:>6}")


def _spread(strength: "Strength") -> str:
    return f"{strength.mean:.3f} ({strength.low:.3f} to {strength.high:.3f})"


def _duration(seconds: float) -> str:
    """Return a time in the largest unit in which it is at least 2: `90 s`, `30 m`, `4 h`."""
    for unit, size in (("h", 3600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _finish(spec: GameSpec, training: "Training", folder: "Folder", install: bool) -> None:
    """Write the weights with their card, with `install` also to the game's folder.

    Raises TrainingError if a file cannot be written, or if searches are weaker with the new weights than with the game's,
    and ContractError if a file would be too large.
    """
    from ludoteca.core.value import write_value

    about = training.now.about
    path = spec.file(f"weights/{about.settings.weights_name()}.npz")
    if search := training.gate():
        say(f"searches with these weights, {counted(search.deals, 'deal')}: {_spread(search)}")
    card = card_of(about, training.loss, search)
    is_weaker = search is not None and search.high < training.loss.even
    places = [folder.path / path.name, *([path] if install and not is_weaker else [])]
    for place in places:
        with explained(str(place), TrainingError, f"; the training is stored in {folder.path}"):
            write_value(place, training.now.fit.weights, card)
        say(f"{place}: {counted(len(training.now.fit.weights), 'weight')} from {about.games:,} games")
    if install and is_weaker and search:
        raise TrainingError(f"{path} stays as it is: searches with the new weights are weaker, {_spread(search)}")


def card_of(about: "About", loss: "Loss", search: "Strength | None" = None) -> dict[str, Any]:
    """Return the description of the weights: the command, the date, the number of games, and the strength."""
    import shlex
    from datetime import UTC, datetime

    settings, point = about.settings, about.curve[-1]
    constants = {name: getattr(settings.constants, name) for name in names_of(registry.find(settings.game))}
    numbers = {"games": about.games, "cores": settings.cores, "round": settings.round, "seed": settings.seed, **constants}
    parameters = dict.fromkeys((name, variant[name]) for name in settings.variants[0] for variant in settings.variants)
    words = ["ludoteca", "train", settings.game]
    given = [(name.replace("_", "-"), value) for name, value in (*parameters, *numbers.items()) if value is not None]
    words += [word for name, value in given for word in (f"--{name}", str(value))]
    unit = "of the wins" if loss.unit == "wins" else "points more"
    against = f"against {loss.reference}, {counted(point.reference.deals, 'deal')}, {loss.how}"
    return {
        "command": shlex.join(words),
        "date": datetime.now(UTC).date().isoformat(),
        "games": about.games,
        "strength": f"{_spread(point.reference)} {unit} {against}",
        **({"search": f"{_spread(search)} {unit} against the weights before"} if search else {}),
        "seconds": round(about.seconds),
        "error": round(point.error, 4),
    }


command = GamesGroup(_TrainCommand, name="train", help=_train.__doc__)
