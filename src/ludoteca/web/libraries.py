"""A game's rules and searches as one WebAssembly library, made from the code that Numba has optimised.

`python -m ludoteca.web.libraries GAME DIRECTORY` writes GAME.wasm, and GAME.json, which describes its functions. The library
is loaded into the memory of a page's Python (`web.calling`), so it takes the addresses of arrays, and nothing is copied.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

from ludoteca.core import native, registry
from ludoteca.core.errors import LudotecaError
from ludoteca.core.spec import GameSpec
from ludoteca.web.calling import ARRAY, KINDS

LINKER: Final = "wasm-ld"
TRIPLE: Final = "wasm32-unknown-emscripten"
LAYOUT: Final = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-f128:64-n32:64-S128-ni:1:10:20"
FEATURES: Final = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""These four constants are the target of the compiler. Every browser of the last five years has these features."""
ANY_PROCESSOR: Final = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
}
"""The environment in which Numba makes code that can be translated. It has to be set before Numba is imported."""


class Sizes(NamedTuple):
    """The size of a library's file, in bytes."""

    plain: int
    compressed: int
    """By gzip, as web servers send it."""


def check_linker() -> None:
    """Raise LudotecaError if the linker for WebAssembly is not installed. The message names the package to install."""
    if not shutil.which(LINKER):
        raise LudotecaError(f"{LINKER}, which links WebAssembly, is not installed: on Debian and Ubuntu, apt install lld")


def write_library(spec: GameSpec, directory: Path) -> Sizes:
    """Write the library of a game to a folder, and return its size. This runs another process, because Numba reads its
    environment only once.

    Raises LudotecaError, with the last line of that process's errors, if it fails.
    """
    made = subprocess.run(  # noqa: S603  # the names are ours
        [sys.executable, "-m", __name__, spec.name, str(directory)],
        env=os.environ | ANY_PROCESSOR,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if made.returncode:
        why = made.stderr.strip().rpartition("\n")[2]
        raise LudotecaError(f"the library of {spec.title} could not be made: {why}")
    content = (directory / f"{spec.name}.wasm").read_bytes()
    return Sizes(len(content), len(gzip.compress(content)))


def main(name: str, directory: Path) -> None:
    """Compile the game of that name and write its library and the description of its functions to a folder."""
    from ludoteca.core import compiling  # imports Numba

    described: dict[str, dict[str, Any]] = {}
    library, common = _Library(), native.Copies("common", {}, compiling.jit)
    for modules, dtype in _searched_modules(registry.find(name)).items():
        functions, copy_all = modules.public_functions(), partial(native.copies_of, modules, common=common)
        described[modules.name] = {}
        for short, code in compiling.optimised(functions, dtype, copy_all).items():
            export, hints = f"f{len(described)}_{short}", get_type_hints(functions[short], include_extras=True)
            gives, takes = _kind(hints.pop("return")), [_kind(hint) for hint in hints.values()]
            described[modules.name][short] = {"export": export, "takes": takes, "gives": gives}
            library.add(export, *code)
    library.write(directory / f"{name}.wasm")
    (directory / f"{name}.json").write_text(json.dumps(described), encoding="utf-8")


def _searched_modules(spec: GameSpec) -> dict[native.Modules, Any]:
    """Return the modules of each binding that a page uses, for every number of players, with the dtype of the game's
    positions.
    """
    from ludoteca.agents.agent import new_searcher
    from ludoteca.agents.warming import searched_games
    from ludoteca.core import hints
    from ludoteca.core.game import Game

    bindings = []
    for searched in searched_games(spec).values():
        game = Game(spec, searched.parameters)  # interpreted: Numba compiles for this processor otherwise
        bindings += new_searcher(game).bindings()
    if spec.has("heuristics"):
        bindings.append(game.bind(hints, spec.module("heuristics")))
    return {binding.modules: game.dtype for binding in bindings}


def _kind(hint: Any) -> Any:
    """Return the kind of an argument for the library's description (`calling.KINDS`): a text, or the list of the kinds of a
    named tuple's fields.
    """
    if hasattr(hint, "_fields"):
        return [_kind(each) for each in get_type_hints(hint, include_extras=True).values()]
    return KINDS.get(hint, ARRAY)


class _Library:
    """A library in the making. All functions are linked into one module of LLVM, so that they share their
    constant tables.
    """

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self._llvm = llvm
        self._machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=2, reloc="pic", features=FEATURES)
        self._whole = llvm.parse_assembly(f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n')
        self._exports: list[str] = []

    def add(self, export: str, code: str, name: str) -> None:
        """Add a function with the name `export` to the library. It reads its arguments from a row in memory, and calls the
        function `name` in the LLVM text `code`. Everything in `code` that this function does not need is left out.
        """
        code = re.sub(r"^target datalayout.*$", f'target datalayout = "{LAYOUT}"', code, flags=re.MULTILINE)
        code = re.sub(r"^target triple.*$", f'target triple = "{TRIPLE}"', code, flags=re.MULTILINE)
        code = re.sub(r"^(@\S+ = )common ", r"\1internal ", code, flags=re.MULTILINE)
        code = re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)
        called = self._llvm.parse_assembly(code).get_function(name)
        module = self._llvm.parse_assembly(code + "\n".join(_caller(export, name, [str(a.type) for a in called.arguments])))
        for function in module.functions:
            if not function.is_declaration and function.name != export:
                function.linkage = "internal"
        passes = self._llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, self._llvm.create_pass_builder(self._machine, self._llvm.create_pipeline_tuning_options()))
        self._whole.link_in(module)
        self._exports.append(export)

    def write(self, path: Path) -> None:
        """Write the library as a WebAssembly file. Raises LudotecaError if it cannot be linked."""
        options = self._llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = options.slp_vectorization = False
        builder = self._llvm.create_pass_builder(self._machine, options)
        passes = builder.getModulePassManager()
        passes.add_constant_merge_pass()
        passes.run(self._whole, builder)
        part = path.with_suffix(".o")
        part.write_bytes(self._machine.emit_object(self._whole))
        exports = [f"--export={name}" for name in self._exports]
        linked = subprocess.run(  # noqa: S603
            [LINKER, "-shared", "--experimental-pic", "--strip-all", *exports, "-o", path, part],
            capture_output=True,
            text=True,
            check=False,
        )
        part.unlink()
        if linked.returncode:
            raise LudotecaError(linked.stderr.strip().partition("\n")[0])


def _caller(export: str, name: str, types: list[str]) -> Iterator[str]:
    """Yield the lines of an LLVM function `export` that reads arguments of these types from a row in memory and calls the
    function `name` with them.
    """
    yield f"\ndefine i32 @{export}(ptr %row) {{"
    for i, kind in enumerate(types):
        yield f"  %p{i} = getelementptr i64, ptr %row, i32 {i}"
        if kind == "ptr":
            yield f"  %w{i} = load i32, ptr %p{i}"
            yield f"  %x{i} = inttoptr i32 %w{i} to ptr"
        else:
            yield f"  %x{i} = load {kind}, ptr %p{i}"
    yield f"  %r = call i32 @{name}({', '.join(f'{kind} %x{i}' for i, kind in enumerate(types))})"
    yield "  ret i32 %r\n}\n"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
