"""Commands with options that are the annotated fields of a dataclass."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from ludoteca.cli.options import Quantity


class Setting:
    """Marks a field of settings that an option sets, with the option's help, its type, and other attributes of click."""

    def __init__(self, text: str, kind: click.ParamType[Any] | None = None, *flags: str, **attributes: Any) -> None:
        self.text = text
        self.kind = kind
        self.flags = flags
        """The names on the command line, if they differ from the name of the field."""
        self.attributes = attributes


def new_option(name: str, kind: Any, setting: Setting, default: Any) -> click.Option:
    """Return click's option for the field with this name, type and default."""
    members = [each for each in get_args(kind) if each is not NoneType]
    multiple = get_origin(kind) is tuple and Ellipsis in members
    value_type = members[0] if multiple or NoneType in get_args(kind) else kind
    if setting.kind:
        value_type = setting.kind
    elif value_type is Path:
        value_type = click.Path(path_type=Path)
    if isinstance(value_type, Quantity) and default is not None:
        default = value_type.write(default)
    attributes = {
        "type": value_type,
        "default": default,
        "multiple": multiple,
        "is_flag": kind is bool,
        "show_default": type(default) is not bool and default not in (None, "", ()),
        "help": setting.text,
    }
    return click.Option([*(setting.flags or [f"--{name.replace('_', '-')}"]), name], **attributes | setting.attributes)


def options_of(settings: type, new_option: Callable[..., click.Option] = new_option) -> list[click.Option]:
    """Return the options of a dataclass of settings, in the order of its fields."""
    hints, options = get_type_hints(settings, include_extras=True), []
    for field in fields(settings):
        if get_origin(hints[field.name]) is Annotated:
            default = field.default if field.default_factory is MISSING else field.default_factory()
            options.append(new_option(field.name, *get_args(hints[field.name]), default))
    return options


class SettingsCommand(click.Command):
    """A command with the options of a dataclass. Its function gets the values as one argument, `settings`."""

    def __init__(
        self,
        name: str | None,
        *,
        settings: type,
        params: Iterable[click.Parameter] = (),
        new_option: Callable[..., click.Option] = new_option,
        **attributes: Any,
    ) -> None:
        super().__init__(name, params=[*params, *options_of(settings, new_option)], **attributes)
        self._settings = settings

    def invoke(self, ctx: click.Context) -> Any:
        names = {field.name for field in fields(self._settings)} & ctx.params.keys()
        ctx.params["settings"] = self._settings(**{name: ctx.params.pop(name) for name in names})
        return super().invoke(ctx)
