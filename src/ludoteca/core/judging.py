"""The contract of a game's `judging` module: the programs that the published document of the game asks students to write,
and the cases with which the judge tests them.

**A part** is one program of the document. `judging.PARTS` maps the name of each part (`""` if there is only one) to a
`Part`. Some parts have *subjects*, such as the predicates of a Prolog program. Each case of such a part tests one subject.

**A branch** is one decision that a sentence of the document makes, such as which player wins a tie. Its name is its *key*,
such as `wins.stolen`. A case *covers* the branches on which its output depends. An *extra* is a situation without a separate
sentence in which programs often fail, such as a second test right after a long one.

**A case** is one run of a program: arguments, files, input, and the right output, which comes from Ludoteca's own program.
Its *steps* are its input lines, each with the output that follows it and the branches that this output covers. The judge
asks a part for a case that covers certain branches. The part makes the case from a *plan*, which is plain data such as the
moves of a game. From the plan it can also make *shorter* cases, with fewer *turns* of the game, to show a student the
smallest case that fails.

**A wrong line** of output has *suspects*: the branches of which a program must have misread one to print this line
(`Part.decisive`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import PurePath
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, cast

from ludoteca.core.console import Console, ConsoleProgram
from ludoteca.core.errors import ContractError, LudotecaError, ParameterError
from ludoteca.core.spec import GameSpec

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class Step(NamedTuple):
    """One line of a case's input, and the program's output between reading this line and the next one."""

    input: str
    """The line with its line end. It is empty in the first step, which has the output before the program reads anything."""
    output: str
    branches: frozenset[str] = frozenset()
    """The keys of the branches (decisions in the document) that determine this output."""


@dataclass(frozen=True)
class Case:
    """One run of a program: its arguments, its files, its input and the right output."""

    arguments: tuple[str, ...]
    """The words of the command line after the program's own command."""
    steps: tuple[Step, ...]
    status: int = 0
    """The exit status of Ludoteca's program. The judge ignores it, because no document names an exit status."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The text of each file in the folder in which the program runs, by file name."""
    turns: int = 0
    """The number of turns of the game (or tests, plays, questions) in the case. Shorter cases have fewer."""
    plan: Any = None
    """The data from which the part makes shorter cases, such as a list of moves. It can be compared and pickled."""
    subject: str = ""
    """The subject (an ability of the program, such as a predicate) that the case tests. Empty if the part has none."""
    extras: frozenset[str] = frozenset()
    """The keys of the part's extras (`Part.extras`) that occur in the case."""

    @property
    def input(self) -> str:
        return "".join(step.input for step in self.steps)

    @property
    def output(self) -> str:
        return "".join(step.output for step in self.steps)

    @property
    def branches(self) -> frozenset[str]:
        return frozenset().union(*(step.branches for step in self.steps))


DOCUMENT: Final = "document"
PUBLISHED: Final = "published"
DECISION: Final = "decision"


class Branch(NamedTuple):
    """One decision that a sentence of the document makes, such as which player wins a tie."""

    key: str
    """A unique name. The game's texts have its description under `branch.KEY`, such as "ties for the row"."""
    section: str
    """The number or title of the document's section with the sentence."""
    sentence: str
    """The sentence of the document, in its own language."""
    least: int = 1
    """The least number of cases of a whole set that cover it. It is 0 for a DECISION, which no usual case covers."""
    source: str = DOCUMENT
    """DOCUMENT if the sentence alone decides it, PUBLISHED if published programs or test sets show its meaning, DECISION if
    the document leaves it open and our own program decides."""


class Options(NamedTuple):
    """A teacher's choices: the form of the input in a part's cases, and how outputs are compared."""

    form: str = ""
    """One of the part's `forms`. Empty for the first of them."""
    ignores_blanks: bool = False
    """True if an output also counts as right that differs from the right one only in blanks and line ends."""


class Part(Protocol):
    """One program that a document defines, and the functions by which the judge tests it. A game's parts inherit from this
    class, because the methods from `with_options` on have default bodies.
    """

    branches: Sequence[Branch]
    shortest: int = 1
    """The number of turns of a case that cannot be made shorter. It is 0 if even one turn can be made smaller."""
    forms: Sequence[str] = ()
    """The names of the forms in which the input can be written, the usual form first. Empty if there is only one."""
    form_source: str = DOCUMENT
    """The origin of the form of input and output: DOCUMENT, PUBLISHED or DECISION, as in `Branch.source`."""
    options: Options = Options()
    subjects: Mapping[str, int] = MappingProxyType({})
    """The least number of cases for each subject: an ability of a program, such as a predicate. Each case asks one subject.

    A subject comes after the subjects that it is built on."""
    extras: Collection[str] = ()
    """What at least one case of a whole set also has, by key, for mistakes that cases with every branch may miss.

    An example is five pairs after four kings: the branch has four kings, and any number of pairs covers it."""
    file: str = ""
    """The usual name of the program's file if it cannot run by itself. `command` then returns how to run it."""
    given: Sequence[str] = ()
    """The names of files that the course hands out. They are not the program."""
    together: int = 1
    """The most cases that one run of the program can answer. If it is above 1, see `joined` and `parted`."""

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a short random case that tests the given keys: branches, subjects and extras. If `wanted` is empty, return
        any case.

        The case may miss some of them. `Case.branches` has the keys that it really covers, and the judge calls this again
        for the others.
        """

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield cases with fewer turns than the given one, the shortest first. They may begin with other seeds or boards, or
        repeat a part of the given case.
        """

    def with_options(self, options: Options) -> Self:
        """Return a copy of the part with these options. Raises ParameterError if the part does not have the form that they
        name.
        """
        if options.form and options.form not in self.forms:
            raise ParameterError(
                f"form: read {options.form}, expected {', '.join(self.forms) or 'none, as there is one form only'}"
            )
        chosen = copy(self)
        chosen.options = options
        return chosen

    @property
    def form(self) -> str:
        """The form in which the input of the cases is written. Empty if the part has only one form."""
        return self.options.form or next(iter(self.forms), "")

    def impossible(self, case: Case) -> str:  # noqa: ARG002  # parts override it
        """Return the reason, in English, why the document does not allow the input of a case, or an empty text if it is
        allowed. All cases that Ludoteca makes are allowed.
        """
        return ""

    def takes(self, case: Case) -> bool:
        """Return True if the document allows the case and determines its output. If the document leaves the output open,
        programs with different outputs can be right, so the case cannot test them.
        """
        decisions = {branch.key for branch in self.branches if branch.source == DECISION}
        return decisions.isdisjoint(case.branches) and not self.impossible(case)

    def command(self, program: Sequence[str], case: Case) -> list[str]:
        """Return the command line that starts the program for a case. `program` is the program's own command. A part
        overrides this if its program cannot run by itself, such as a Prolog file.
        """
        return [*program, *case.arguments]

    def program_among(self, names: Sequence[str]) -> list[str]:
        """Return the paths in a submission that may be the program's file, for a part with a `file`. If there is exactly
        one, the choice is clear. `names` are all paths of the submission.

        The candidates are the paths with the name `file`. If there are none, they are the paths with the same extension as
        `file`, without those in `given`. Of several candidates, only those in the fewest nested folders are returned.
        """
        paths = [PurePath(name) for name in names]
        given = {name.casefold() for name in self.given}
        ending = PurePath(self.file).suffix
        found = [path for path in paths if path.name == self.file] or [
            path for path in paths if path.suffix.casefold() == ending and path.name.casefold() not in given
        ]
        depth = min((len(path.parts) for path in found), default=0)
        return [str(path) for path in found if len(path.parts) == depth]

    def joined(self, cases: Sequence[Case]) -> Case:
        """Return one case that consists of the given cases one after another, for one run of the program. Raises
        ContractError if the part does not override this method.
        """
        raise ContractError(f"{type(self).__name__}: {len(cases)} cases cannot be joined")

    def parted(self, output: str) -> list[str]:
        """Return the outputs of the single cases, in order, from the output of a joined case. If the program ended early,
        the list ends with the output of the case in which it ended.
        """
        return [output]

    def excused(self, case: Case, output: str) -> bool:  # noqa: ARG002  # parts override it
        """Return True if a wrong output is wrong only in lines that do not depend on the subject of the case.

        Then the program has a fault in another subject. The cases of that subject show it, and this case does not count as
        failed.
        """
        return False

    def problem(self, case: Case, output: str) -> "Message | None":  # noqa: ARG002  # parts override it
        """Return a message with the fault of an output, for a part in which several outputs can be right. Return an empty
        text if the output is right.

        Return None if this part has only one right output for each case, `Case.output`. The judge then compares the two.
        """
        return None

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:  # noqa: ARG002  # parts override it
        """Return the keys of the branches that a program may have misread if it printed a wrong output at step number
        `step`.

        `output` is the program's output from this step on. By default the result is all branches of the step. A part that
        compares the wrong line with the right one returns fewer. If the output of the step is right, `output` is that of the
        step alone. If the part reports its fault by `problem`, `output` is the whole output.
        """
        return case.steps[step].branches

    def gloss(self, line: str) -> str:  # noqa: ARG002  # parts override it
        """Return an explanation, for the judge's report, of a line of input or output that is hard to read. Return an empty
        text if the line needs none.
        """
        return ""


USUAL: Final = Options()


def part_of(spec: GameSpec, name: str, options: Options = USUAL) -> Part:
    """Return one of the programs that the game's document defines, with these options. `name` is its name in the game's
    `PARTS`. Raises ParameterError if it does not have the form of input that the options name.
    """
    part: Part = spec.module("judging").PARTS[name]
    return part.with_options(options)


def check(part: Part, case: Case) -> Case:
    """Return the case unchanged. Raises ContractError if the document does not allow its input. This is a mistake of the
    game's author, because parts must make only cases that are allowed.
    """
    if why := part.impossible(case):
        raise ContractError(f"a case is impossible, {why}: {case.input!r}")
    return case


def converse(
    spec: GameSpec, arguments: list[str], lines: Iterable[str], files: Mapping[str, str]
) -> tuple[list[tuple[str, str]], int]:
    """Run Ludoteca's own version of the document's program. Return pairs of a line that it read and the output that followed
    the line, and the exit status.

    `arguments` are the words of the command line, `lines` are the lines of input with their line ends, and `files` has the
    text of each file by name. The first pair has an empty line, and the output before the first line was read. If the
    program ends before the end of the input, the other lines are not in the result.
    """

    def read_file(name: str) -> str:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    io = Console(spec.language)
    program = cast(ConsoleProgram, spec.module("console"))
    session = program.session(io, arguments, read_file)
    left, read, said = iter(lines), "", list[tuple[str, str]]()
    try:
        next(session)
        while True:
            said.append((read, io.printed()))
            line = next(left, None)
            read = line or ""
            session.send(line)
    except StopIteration as end:
        return [*said, (read, io.printed())], int(end.value)
    except LudotecaError:
        return [*said, (read, io.printed())], 1
