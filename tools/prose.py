"""Count habits that make prose hard to read, per 1,000 words.

    python tools/prose.py                     # docstrings, comments, help texts, pages and English messages: a table
    python tools/prose.py docs/arena.md       # every hit in some files, or in the tracked files below some folders
    python tools/prose.py --since COMMIT      # every hit in lines that were added since a commit

It reads Python, JavaScript, CSS, Markdown and `messages/en.json`. A text without a hit can still be unclear.
"""

import argparse
import ast
import io
import json
import re
import subprocess
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
READ: Final = ("*.py", "*.js", "*.css", "*.md", "*messages/en.json")
SAYS: Final = r"(?:is|are|was|were|has|have|had|can|may|must|plays?|moves?|wants?|asks?|comes?|goes|stays|knows?|sees?)"
STARTS: Final = r"(?:^|[.;:,(] |\b(?:and|as|by|for|from|in|of|on|than|to|with) )"
HABITS: Final = {
    "who for a role: the player, the spectator": rf"{STARTS}who(?:ever)? (?!else)\w+",
    "what for a noun: the message, the position": rf"{STARTS}what(?:ever)? (?:{SAYS}|a|an|all|every|it|one|the|they)\b",
    "all that, nothing that": r"\b(?:all|any|every|no|some)(?:thing|one)? (?:that|who|which)\b|\bthose (?:who|that)\b",
    "somebody, nobody, one": rf"\b(?:any|every|no|some)body\b|\bone's\b|\boneself\b|\bone {SAYS}\b",
    "he for a user": r"\b(?:he|him|himself|his)\b",
    "where for if": r"\bwhere (?:a|all|an|it|no|none|nothing|one|some|something|that|the|there|they)\b",
    "is told, is said, is had": r"\b(?:be|been|is|are|was|were) (?:asked for|begun|had|looked at|said|told|wanted)\b",
    "stands, lies": r"\b(?:stands?|stood|lies|lay)\b",
    "so many, anew, beside": r"\bso (?:many|much)\b(?! that)|\b(?:anew|besides?|thereby|wherever)\b",
    "of its own": r"\bof (?:its|our|his|one's|their) own\b",
    "a semicolon between sentences": r"; (?:and|but|it|he|no|so|that|the|then|they|this|what)\b",
}
PATTERNS: Final = {name: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for name, pattern in HABITS.items()}
WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
FENCES: Final = re.compile(r"```.*?```", re.DOTALL)
CODE: Final = re.compile(r"`[^`\n]*`")
HELP: Final = ("help", "short_help", "epilog")


def of_python(text: str) -> Iterator[str]:
    """Yield docstrings, help texts and comments."""
    for node in ast.walk(ast.parse(text)):
        values = [node.value] if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg in HELP) else []
        yield from (str(value.value) for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    yield from (token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT)


def of_script(text: str) -> Iterator[str]:
    """Yield the comments of JavaScript or CSS."""
    for block, line in re.findall(r"/\*(.*?)\*/|(?:^|\s)//(.*?)$", text, re.DOTALL | re.MULTILINE):
        yield re.sub(r"^\s*\* ?", "", block, flags=re.MULTILINE) or line


def prose_of(path: Path) -> str:
    """Return the prose of a file, with a placeholder for code in it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        parts = [FENCES.sub("", text)]
    elif path.suffix == ".json":
        parts = list(json.loads(text).values())
    else:
        parts = list(of_python(text) if path.suffix == ".py" else of_script(text))
    return CODE.sub("`code`", "\n".join(parts))


def git(*words: str) -> str:
    """Return the output of a git command in this repository."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def read_below(path: Path) -> list[Path]:
    """Return a file itself, or the tracked files below a folder that this tool reads."""
    if path.is_file():
        return [path]
    return [ROOT / name for name in git("ls-files", "--", *READ).splitlines() if (ROOT / name).is_relative_to(path)]


def added_since(commit: str) -> dict[Path, set[str]]:
    """Return the lines that were added since a commit, without blanks around them, by file."""
    added: dict[Path, set[str]] = {}
    path = ROOT
    for line in git("diff", "--unified=0", "--no-color", commit, "--", *READ).splitlines():
        if line.startswith("+++ "):
            path = ROOT / line[6:]
        elif line.startswith("+"):
            added.setdefault(path, set()).add(CODE.sub("`code`", line[1:]).strip())
    return {path: lines for path, lines in added.items() if path.is_file()}


def hits_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the habit and the line of each hit."""
    for name, pattern in PATTERNS.items():
        for found in pattern.finditer(text):
            start, end = text.rfind("\n", 0, found.end() - 1) + 1, text.find("\n", found.end())
            yield name, text[start : end if end >= 0 else None].strip()


def print_hits(paths: list[Path], added: dict[Path, set[str]] | None) -> None:
    """Print every hit, or those in added lines."""
    for path in paths:
        for name, line in hits_of(prose_of(path)):
            if added is None or any(line in one or one in line for one in added[path] if one):
                print(f"{path.relative_to(ROOT)}: [{name}] {line[:160]}")


def print_table(paths: list[Path]) -> None:
    """Print the hits of each habit per 1,000 words, and the files with the highest density."""
    words, hits, dense = 0, Counter[str](), list[tuple[float, str]]()
    for path in paths:
        text = prose_of(path)
        here, number = Counter(name for name, _ in hits_of(text)), len(WORD.findall(text))
        words += number
        hits += here
        if number >= 150:
            dense.append((1000 * here.total() / number, str(path.relative_to(ROOT))))
    print(f"{1000 * hits.total() / words:6.1f}  hits per 1,000 words, of {words:,} words")
    print(*(f"{1000 * number / words:6.2f}  {name}" for name, number in hits.most_common()), sep="\n")
    print(*(f"{density:6.1f}  {path}" for density, path in sorted(dense, reverse=True)[:10]), sep="\n")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--since", metavar="COMMIT")
    given = parser.parse_args()
    if given.since:
        added = added_since(given.since)
        print_hits(sorted(added), added)
    elif given.files:
        print_hits([file for path in given.files for file in read_below(path.absolute())], None)
    else:
        print_table(read_below(ROOT))


if __name__ == "__main__":
    main()
