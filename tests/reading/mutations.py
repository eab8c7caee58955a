"""Texts that nobody would write: real dumps, cut, spliced, doubled, re-indented and spoiled."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"

Mutation = Callable[[random.Random, str, str], str]


def fixture_texts(longest: int = 40_000) -> list[str]:
    """The text of every dump of the fixtures, in a fixed order; a longer one in pieces of this many characters."""
    paths = sorted(path for path in FIXTURES.rglob("*") if path.suffix in (".fxgraph", ".py", ".txt", ".log"))
    texts = [path.read_text(encoding="utf-8") for path in paths if path.parent != FIXTURES]
    return [text[at : at + longest] for text in texts for at in range(0, len(text), longest)]


def mutate(chance: random.Random, text: str, other: str) -> str:
    """The text after one to three mutations; `other` is what may be spliced into it."""
    for _ in range(chance.randint(1, 3)):
        text = chance.choice(MUTATIONS)(chance, text, other)
    return text


def _place(chance: random.Random, text: str) -> int:
    return chance.randint(0, len(text))


def _stretch(chance: random.Random, text: str, longest: int = 400) -> tuple[int, int]:
    start = _place(chance, text)
    return start, min(start + chance.randint(0, longest), len(text))


def cut_end(chance: random.Random, text: str, other: str) -> str:
    return text[: _place(chance, text)]


def cut_start(chance: random.Random, text: str, other: str) -> str:
    return text[_place(chance, text) :]


def splice(chance: random.Random, text: str, other: str) -> str:
    return text[: _place(chance, text)] + other[_place(chance, other) :]


def insert_piece(chance: random.Random, text: str, other: str) -> str:
    at = _place(chance, text)
    start, end = _stretch(chance, other)
    return text[:at] + other[start:end] + text[at:]


def double_stretch(chance: random.Random, text: str, other: str) -> str:
    start, end = _stretch(chance, text)
    return text[:end] + text[start:end] * chance.randint(1, 4) + text[end:]


def drop_stretch(chance: random.Random, text: str, other: str) -> str:
    start, end = _stretch(chance, text, 60)
    return text[:start] + text[end:]


def drop_lines(chance: random.Random, text: str, other: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if chance.random() > 0.2)


def shuffle_lines(chance: random.Random, text: str, other: str) -> str:
    lines = text.splitlines(keepends=True)
    at = chance.randint(0, len(lines))
    some = lines[at : at + 6]
    chance.shuffle(some)
    return "".join(lines[:at] + some + lines[at + 6 :])


def interleave(chance: random.Random, text: str, other: str) -> str:
    mixed = []
    others = iter(other.splitlines(keepends=True))
    for line in text.splitlines(keepends=True):
        while chance.random() < 0.3:
            mixed.append(next(others, ""))
        mixed.append(line)
    return "".join(mixed)


def join_lines(chance: random.Random, text: str, other: str) -> str:
    return text.replace("\n", chance.choice(["", " ", "\\n", ", "]))


def break_lines(chance: random.Random, text: str, other: str) -> str:
    sign = chance.choice([", ", "(", " = ", "[", ";"])
    return text.replace(sign, sign + "\n        ")


def line_ends(chance: random.Random, text: str, other: str) -> str:
    return text.replace("\n", chance.choice(["\r\n", "\r", "\n\r", "\n\n", "\u2028", "\x0b\n", " \n", "\n\xa0"]))


def lead_lines(chance: random.Random, text: str, other: str) -> str:
    leader = chance.choice(
        [
            "    ",
            "\t",
            "> ",
            "# ",
            "#",
            ">>> ",
            "E   ",
            "E       ",
            "| ",
            "> > ",
            " * ",
            "// ",
            "x ",
            "\u3000",
            "%",
            "[rank1]: ",
            "//! ",
            "+",
            "- ",
        ]
    )
    start, end = _stretch(chance, text, len(text))
    return text[:start] + text[start:end].replace("\n", "\n" + leader) + text[end:]


def colour(chance: random.Random, text: str, other: str) -> str:
    noise = chance.choice(["\x1b[31m", "\x1b[0m", "\x1b[", "\x1b", "\x1b]8;;http://x\x1b\\", "\x1b[38;5;1m\r"])
    for _ in range(chance.randint(1, 20)):
        at = _place(chance, text)
        text = text[:at] + noise + text[at:]
    return text


def spoil(chance: random.Random, text: str, other: str) -> str:
    """Bytes that are no text, as an editor shows them: read as latin-1 or kept as surrogates."""
    for _ in range(chance.randint(1, 20)):
        at = _place(chance, text)
        noise = bytes(chance.randrange(256) for _ in range(chance.randint(1, 4)))
        how = chance.choice([("latin-1", "strict"), ("utf-8", "surrogateescape"), ("utf-16-le", "replace")])
        text = text[:at] + noise.decode(*how) + text[at + 1 :]
    return text


def change_sign(chance: random.Random, text: str, other: str) -> str:
    """Other brackets, quotes and signs of structure in a few places."""
    signs = "()[]{}<>\"'`%#=;:,.\\\n\t \r*|é٣\U0001f600\x00"
    for _ in range(chance.randint(1, 12)):
        at = _place(chance, text)
        text = text[:at] + chance.choice(signs) + text[at + chance.randint(0, 1) :]
    return text


def insert_words(chance: random.Random, text: str, other: str) -> str:
    words = [
        "class ", "(torch.nn.Module):", "def forward(", "graph():\n", "Graph fragment:", "[target=", "%x : ", " = None",
        "return ", "opcode  name  target  args  kwargs\n", '"""', "'''", "ExportedProgram:", "self.", "getattr(", "slice(",
        "I0101 00:00:00.000000 1 a.py:1] [0/0] ", "[2026-01-01 00:00:00,000] [0/0] a.b: [DEBUG] ", "lambda x: x", "# File: ",
        "[num_users=", "#users=" + "9" * 5000, "placeholder[target=", "class <lambda>(torch.nn.Module):\n", "pass\n",
        "9" * 5000, "f32[" + "9" * 5000 + "]", "((((((((((", "Graph signature:", "Range constraints: {", "args_iter = ",
        "@@ -1,40 +1,40 @@\n", "\n@@ -1 +1,9 @@\n+", "\n+    %a : ", "\xa0", "===== Forward graph 0 =====\n", "TRACED GRAPH\n",
    ]  # fmt: skip
    for _ in range(chance.randint(1, 4)):
        at = _place(chance, text)
        text = text[:at] + chance.choice(words) + text[at:]
    return text


def lengthen(chance: random.Random, text: str, other: str) -> str:
    """One very long line or very deep nesting."""
    at = _place(chance, text)
    piece = chance.choice(["(", "[", "{", "a, ", "%x, ", '"', "self.", "=", "x = ", "\\", " ", "#", "> ", "getattr("])
    return text[:at] + piece * chance.choice([100, 1000, 10_000]) + text[at:]


MUTATIONS: tuple[Mutation, ...] = (
    cut_end,
    cut_start,
    splice,
    insert_piece,
    double_stretch,
    drop_stretch,
    drop_lines,
    shuffle_lines,
    interleave,
    join_lines,
    break_lines,
    line_ends,
    lead_lines,
    colour,
    spoil,
    change_sign,
    insert_words,
    lengthen,
)
