"""Commands whose options are the annotated fields of a dataclass, the settings of the command."""

import os
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import click

from ludoteca.cli.options import COUNT, FOLDER, NameValue, Quantity, SeedNumber
from ludoteca.core.messages import ENGLISH, LANGUAGES
from ludoteca.core.seeds import SEED_BITS

LANGUAGE_HELP: Final = "the language of texts  [default: that of LC_ALL, LC_MESSAGES or LANG]"
NOT_ISOLATED_HELP: Final = "run programs of others even if bubblewrap does not work here; if it works, it is used"
LIMIT_HELP: Final = (
    "a program's limit, such as move=0.5s: start, move, bank, cpu, memory, output, processes, files, disk; repeat the "
    "option for more"
)


def usual_language() -> str:
    """Return the language that the first of LC_ALL, LC_MESSAGES and LANG with a value names. Return English if Ludoteca does
    not have that language.
    """
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = named.replace(".", "_").split("_")[0].lower()
    return language if language in LANGUAGES else ENGLISH


def drawn(seed: int | None, bits: int = SEED_BITS) -> int:
    """Return the seed, or a random number with this many bits if the seed is None."""
    import secrets  # takes longer to load than the refusal of a wrong value should

    return secrets.randbits(bits) if seed is None else seed


class Setting:
    """Describes the option that sets a field: its help, its type (`kind`), its names, and further attributes of click's
    option. It is put into the field's annotation.
    """

    cls = click.Option
    """The class of the option."""

    def __init__(self, text: str, kind: click.ParamType[Any] | None = None, *flags: str, **attributes: Any) -> None:
        self.kind = kind
        self.flags = flags
        """The names on the command line, if they differ from the name of the field."""
        self.attributes = {"help": text, **attributes}


def new_option(name: str, kind: Any, setting: Setting, default: Any) -> click.Option:
    """Return click's option for the field with this name, type and default. A field without a default is required."""
    multiple = get_origin(kind) is tuple and Ellipsis in get_args(kind)
    plain = get_args(kind)[0] if multiple or NoneType in get_args(kind) else kind
    value_type = setting.kind or (click.Path(path_type=Path) if plain is Path else get_args(plain) or plain)
    if isinstance(value_type, Quantity) and isinstance(default, int | float):
        default = value_type.write(default)
    attributes: dict[str, Any] = {"type": value_type, "multiple": multiple, "is_flag": plain is bool}
    if default is MISSING:
        attributes["required"] = True
    else:
        attributes |= {"default": default, "show_default": type(default) is not bool and default not in (None, "", ())}
    if value_type is FOLDER:
        attributes["metavar"] = "DIR"
    return setting.cls([*(setting.flags or [f"--{name.replace('_', '-')}"]), name], **attributes | setting.attributes)


def options_of(settings: type, new_option: Callable[..., click.Option] = new_option) -> list[click.Option]:
    """Return the options of a dataclass of settings, in the order of its fields."""
    hints, options = get_type_hints(settings, include_extras=True), []
    for field in fields(settings):
        if get_origin(hints[field.name]) is Annotated:
            default = field.default if field.default_factory is MISSING else field.default_factory()
            options.append(new_option(field.name, *get_args(hints[field.name]), default))
    return options


class SettingsCommand(click.Command):
    """A command whose options are the fields of the dataclass `settings`. Its function gets their values as one object, in
    the argument `settings`.
    """

    new_option: Callable[..., click.Option] = staticmethod(new_option)

    def __init__(self, *, settings: type, params: Iterable[click.Parameter] = (), **attributes: Any) -> None:
        super().__init__(params=[*params, *options_of(settings, self.new_option)], **attributes)
        self._settings = settings

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, and put the settings in place of the options' values."""
        rest = super().parse_args(ctx, args)
        names = {field.name for field in fields(self._settings)} & ctx.params.keys()
        ctx.params["settings"] = self._settings(**{name: ctx.params.pop(name) for name in names})
        return rest


Json = Annotated[bool, Setting("print one JSON object")]
Language = Annotated[str | None, Setting(LANGUAGE_HELP, click.Choice(sorted(LANGUAGES)))]
NotIsolated = Annotated[bool, Setting(NOT_ISOLATED_HELP)]
Thinking = Annotated[bool, Setting("do not stop programs while they are not asked")]
Limit = Annotated[tuple[tuple[str, str], ...], Setting(LIMIT_HELP, NameValue("move=0.5s"))]
Processes = Annotated[int | None, Setting("games at a time  [default: the number of cores]", COUNT)]
Ray = Annotated[str | None, Setting("play on a Ray cluster: auto, or HOST:PORT", metavar="ADDRESS")]
Seed = Annotated[int | None, Setting("the same seed gives the same result  [default: drawn]", SeedNumber())]
FixedSeed = Annotated[int, Setting("the same seed gives the same result", SeedNumber())]
"""Options that several commands have."""
