"""The contract of a game's `judging` module: the programs that its document defines, and the cases that test them.

**A part** is one program of the document. `judging.PARTS` maps the name of each part (`""` if there is only one) to a
`Part`. Some parts have *subjects*, such as the predicates of a Prolog program. Each case of such a part asks about one
subject.

**A branch** is one thing that a sentence of the document decides, and has a *key*, such as `wins.stolen`. A case *covers*
the branches that decide its output. An *extra* is a situation without a sentence of its own in which programs often fail,
such as a second test right after a long one.

**A case** is one run of a program: arguments, files, input and right output. Its *steps* are its input lines, each with the
output that follows it and the branches that this output covers. The right output comes from Ludoteca's own program. The
judge names branches that it *wants*, and the part makes a case that covers some of them, from its *plan*: plain data, such
as the moves of a game. From the plan the part also makes *shorter* cases, with fewer *turns*.

**A wrong line** has *suspects*: the branches that a program must have read wrongly to print this line (`Part.decisive`).
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
    """The keys of the document's branches that decide this output."""


@dataclass(frozen=True)
class Case:
    """One run of a program."""

    arguments: tuple[str, ...]
    """The words after the program's own command."""
    steps: tuple[Step, ...]
    status: int = 0
    """The exit status of Ludoteca's program. The judge ignores it, because no document names an exit status."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Files in the program's folder, by name."""
    turns: int = 0
    """The number of the game's turns (or tests, plays, questions) in the case. Shrinking reduces it."""
    plan: Any = None
    """The data from which the part makes shorter cases: plain data that can be compared and pickled."""
    subject: str = ""
    """The part's subject that the case asks, or empty if the part has none."""
    extras: frozenset[str] = frozenset()
    """The part's extras that the case has."""

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
    """One decision of the document."""

    key: str
    """Also the key of its name in the game's catalogues, under `branch.KEY`: "ties for the row"."""
    section: str
    """The section of the document."""
    sentence: str
    """The sentence of the document, in its own language."""
    least: int = 1
    """The least number of cases of a whole set that cover it. It is 0 for a DECISION, which no usual case covers."""
    source: str = DOCUMENT
    """DOCUMENT if the sentence alone decides it, PUBLISHED if published programs or test sets show its meaning, DECISION if
    the document leaves it open and our own program decides."""


class Options(NamedTuple):
    """A teacher's choices for the cases of a part and the comparison of outputs."""

    form: str = ""
    """One of the part's `forms`. Empty for the first form."""
    ignores_blanks: bool = False
    """True if an output is right that differs in blanks and line ends only."""


class Part(Protocol):
    """One program that a document defines. Parts inherit from this class, for the methods from `with_options` on."""

    branches: Sequence[Branch]
    shortest: int = 1
    """The number of turns at which shortening ends. It is 0 if a single turn may become smaller."""
    forms: Sequence[str] = ()
    """The names of the forms in which its input can be written, the usual form first."""
    form_source: str = DOCUMENT
    """The source of the form of input and output, with the values of a branch's source."""
    options: Options = Options()
    subjects: Mapping[str, int] = MappingProxyType({})
    """The least number of cases for each subject: an ability of a program, such as a predicate. Each case asks one subject.

    A subject comes after the subjects that it is built on.
    """
    extras: Collection[str] = ()
    """What at least one case of a whole set also has, by key, for mistakes that cases with every branch may miss.

    An example is five pairs after four kings: the branch has four kings, and any number of pairs covers it.
    """
    file: str = ""
    """The usual name of the program's file if it cannot run by itself. `command` then returns how to run it."""
    given: Sequence[str] = ()
    """The names of files that the course hands out. They are not the program."""
    together: int = 1
    """The most cases that one run of the program answers, one after another. If above 1, see `joined` and `parted`."""

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a short case that aims at the given branches (keys), subjects and extras. Without any, return any case.

        The case may miss its aim. `Case.branches` says what it really covers, and the judge asks again for the rest.
        """

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield cases with fewer turns than this one, the shortest first. They may have other seeds or boards, or be parts
        of this case.
        """

    def with_options(self, options: Options) -> Self:
        """Return the same part with these options. Raises ParameterError for a form that it does not have."""
        if options.form and options.form not in self.forms:
            raise ParameterError(
                f"form: read {options.form}, expected {', '.join(self.forms) or 'none, as there is one form only'}"
            )
        chosen = copy(self)
        chosen.options = options
        return chosen

    @property
    def form(self) -> str:
        """The form in which the input is written. Empty if there is only one."""
        return self.options.form or next(iter(self.forms), "")

    def impossible(self, case: Case) -> str:  # noqa: ARG002  # parts override it
        """Return the reason, in English, why the document does not allow this input. Return an empty text if the document
        allows it. All cases of Ludoteca are allowed.
        """
        return ""

    def takes(self, case: Case) -> bool:
        """Return True if the document allows the case and decides its output. Where the document is silent, right programs
        may differ.
        """
        decisions = {branch.key for branch in self.branches if branch.source == DECISION}
        return decisions.isdisjoint(case.branches) and not self.impossible(case)

    def command(self, program: Sequence[str], case: Case) -> list[str]:
        """Return the command that starts the program for this case. A program that cannot run by itself overrides it."""
        return [*program, *case.arguments]

    def program_among(self, names: Sequence[str]) -> list[str]:
        """Return the paths of a submission that can be the program, for a part with a `file`. The choice is clear if there
        is one.

        These are the paths named `file`. If there are none, they are all paths with the same extension as `file`, except the
        `given` files. Of several paths, only those in the fewest folders count.
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
        """Return the cases as one, for one run of the program. Raises ContractError if the part does not override it."""
        raise ContractError(f"{type(self).__name__}: {len(cases)} cases cannot be joined")

    def parted(self, output: str) -> list[str]:
        """Return the outputs of joined cases, up to the last one that the run began."""
        return [output]

    def excused(self, case: Case, output: str) -> bool:  # noqa: ARG002  # parts override it
        """Return True if an output is wrong only in lines that do not depend on the case's subject.

        Then the program has a fault in another subject, and the cases of that subject fail.
        """
        return False

    def problem(self, case: Case, output: str) -> "Message | None":  # noqa: ARG002  # parts override it
        """Return the fault of an output as a message, for programs that have more than one right answer.

        Return an empty text if the output is right. Return None if this part has only one right answer, the case's own
        output.
        """
        return None

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:  # noqa: ARG002  # parts override it
        """Return the keys of the branches that a program may have read wrongly to print a wrong output at this step.

        `output` begins with the lines of this step. Without further knowledge, the answer is all branches of the step. A
        part that compares the wrong line with the right one returns fewer. If the step is right, `output` is the step's own.
        If the part reports its problem, `output` is the whole output.
        """
        return case.steps[step].branches

    def gloss(self, line: str) -> str:  # noqa: ARG002  # parts override it
        """Return an explanation of a line of input or output that is hard to read, for the report. Return an empty text if
        it needs none.
        """
        return ""


USUAL: Final = Options()


def part_of(spec: GameSpec, name: str, options: Options = USUAL) -> Part:
    """Return a part of the game's document with these options. Raises ParameterError if it has no such form of input."""
    part: Part = spec.module("judging").PARTS[name]
    return part.with_options(options)


def check(part: Part, case: Case) -> Case:
    """Return the case. Raises ContractError if the document does not allow its input, which is a mistake of the game's
    author.
    """
    if why := part.impossible(case):
        raise ContractError(f"a case is impossible, {why}: {case.input!r}")
    return case


def converse(
    spec: GameSpec, arguments: list[str], lines: Iterable[str], files: Mapping[str, str]
) -> tuple[list[tuple[str, str]], int]:
    """Run our own program. Return each line that it read, with the output that followed the line, and the exit status.

    The first pair has an empty line and the output before the first line. Lines keep their line ends. Lines that are left
    when the program ends were not read, and are not returned.
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
