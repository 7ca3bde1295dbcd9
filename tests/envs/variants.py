"""All games with the parameters that are worth a line of their own: what environments are tried with."""

from typing import Any

import pytest

from ludoteca.core import registry

SPECS = registry.games()

VARIANTS = [
    pytest.param(spec.name, dict(parameters), id=f"{spec.name}-{variant}")
    for spec in SPECS
    for variant, parameters in spec.variants.items()
]

GAMES = [spec.name for spec in SPECS]

Parameters = dict[str, Any]
