"""All games with the parameters that are worth a line of their own: what environments are tried with."""

from typing import Any

import pytest

from ludoteca.core import registry

VARIANTS = [
    pytest.param(spec.name, dict(parameters), id=f"{spec.name}-{variant}")
    for spec in registry.games()
    for variant, parameters in spec.variants.items()
    if hasattr(spec.module("features"), "layout")
]

GAMES = [pytest.param(spec.name, id=spec.name) for spec in registry.games() if hasattr(spec.module("features"), "layout")]

Parameters = dict[str, Any]
