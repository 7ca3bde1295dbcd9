"""The options of `serve` that come from the server's settings: each field with an `Option` is one, named like the field."""

import re
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from math import inf
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import click

from ludoteca.server.settings import Option, Rate, Settings

NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")

Value = int | float | Rate | str
Read = Callable[[str, float], Value]


def _whole(text: str, least: float) -> int:
    return int(_checked(int(text), least))


def _number(text: str, least: float) -> float:
    return _checked(float(text), least)


def _rate(text: str, least: float) -> Rate:
    burst, _, per_second = text.partition(",")
    return Rate(_checked(float(burst), least), _checked(float(per_second), 0))


def _host(text: str, _: float) -> str:
    name = text.encode("idna").decode().lower().rstrip(".")
    if not NAME.fullmatch(name):
        raise ValueError
    return name


def _checked(number: float, least: float) -> float:
    if not least <= number < inf:
        raise ValueError
    return number


KINDS: Final[dict[object, tuple[Read, str]]] = {
    int: (_whole, "a whole number from {least:g} on"),
    float: (_number, "a number from {least:g} on"),
    tuple[str, ...]: (_host, "the name of a host and no more, as in games.example.org"),
    Rate: (_rate, "a number from {least:g} on, a comma and a number from 0 on, as in 30,0.2: at once, and a second"),
}
"""For each type of field how its text is read, which raises ValueError, and what is expected."""


class _Value(click.ParamType[Value]):
    """The value of a field of the settings."""

    def __init__(self, kind: object, option: Option) -> None:
        self.name = option.unit
        self._least = option.least
        self._read, self._expected = KINDS[kind]

    def convert(self, value: str | Value, param: click.Parameter | None, ctx: click.Context | None) -> Value:
        if not isinstance(value, str):  # the default
            return value
        try:
            return self._read(value, self._least)
        except ValueError:
            self.fail(f"read {value!r}, expected {self._expected.format(least=self._least)}", param, ctx)


class _Limit(click.Option):
    """An option that `--limits` lists, and `--help` does not."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return super().get_help_record(ctx) if ctx.meta.get(__name__) else None


def _show_limits(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    ctx.meta[__name__] = True
    formatter = ctx.make_formatter()
    records = (param.get_help_record(ctx) for param in ctx.command.params if isinstance(param, _Limit))
    with formatter.section("Limits"):
        formatter.write_dl([record for record in records if record])
    click.echo(formatter.getvalue(), nl=False)
    ctx.exit()


def with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """A command's function that has these options too, and is given what they say as `settings`."""
    hints, defaults = get_type_hints(Settings, include_extras=True), Settings()
    names = [field.name for field in fields(Settings) if get_origin(hints[field.name]) is Annotated]

    @wraps(function)
    def called(**arguments: Any) -> None:
        function(settings=Settings(**{name: arguments.pop(name) for name in names}), **arguments)

    click.option(
        "--limits", is_flag=True, is_eager=True, expose_value=False, callback=_show_limits,
        help="list the options that limit what strangers may do, and end",
    )(called)  # fmt: skip
    for name in reversed(names):
        kind, option = get_args(hints[name])
        click.option(
            f"--{name.replace('_', '-')}",
            cls=_Limit if option.limit else click.Option,
            type=_Value(kind, option),
            metavar="BURST,RATE" if kind is Rate else option.unit.upper(),
            default=getattr(defaults, name),
            multiple=kind == tuple[str, ...],
            show_default=option.default or True,
            help=option.help,
        )(called)
    return called
