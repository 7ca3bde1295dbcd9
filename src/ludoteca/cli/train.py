"""`ludoteca train GAME`: learn a game's evaluation function or policy from games (docs/training.md)."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import click
import msgspec

from ludoteca.cli.options import COUNT, FOLDER, Duration, SeedNumber
from ludoteca.cli.parameters import GamesGroup, options_for
from ludoteca.cli.settings import Ray, Setting, SettingsCommand
from ludoteca.core.learned import MODULE, OPTIONS
from ludoteca.core.spec import GameSpec
from ludoteca.training.settings import OF_POLICIES, OF_VALUES, ROUND, Constants, constants_of, learns_policy, round_of

SEED_BITS: Final = 63
MANY: Final = click.IntRange(1, 1_000_000)
SHARE: Final = click.FloatRange(0, 1)
CORES_HELP: Final = "processes that play at once; another number gives other weights  [default: 1]"
ROUND_HELP: Final = "the games that each process plays before their weights are combined"
SEED_HELP: Final = "the same seed with the same --cores gives the same weights  [default: drawn]"
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
        others = {*OF_VALUES, *OF_POLICIES} - {*names_of(spec)}
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


def names_of(spec: GameSpec) -> tuple[str, ...]:
    """Return the names of the constants of a game's trainings."""
    return OF_POLICIES if learns_policy(spec) else OF_VALUES


def _train(spec: GameSpec, settings: TrainSettings, **given: tuple[str, ...]) -> None:
    """Learn the evaluation function or the policy that agents use (docs/training.md).

    After any end, --resume continues a training. For a first look:

        ludoteca train GAME --time 30s --out somewhere
    """
    if settings.games is None and settings.time is None:
        raise click.UsageError("--games or --time is needed")
    from ludoteca.cli.trainings import run  # NumPy and the searches, which wrong options do not need

    run(spec, settings, given)


command = GamesGroup(_TrainCommand, name="train", help=_train.__doc__)
