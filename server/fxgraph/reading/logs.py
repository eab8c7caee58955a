"""Logs and TORCH_TRACE: lines with a prefix are put together again, each rank and compilation by itself.

Prefixes are written by torch/_logging/_internal.py `TorchLogsFormatter.format` (level, date, time, process, path,
`[0/1]`, `[__artefact]`, on every line of a message) and, in older releases, by logging's own formatter. TORCH_TRACE is
written by `trace_structured`: a line of JSON, then the payload, each of its lines behind a tab.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from fxgraph.graph import Page
from fxgraph.reading.pages import without_records

#: What a job runner writes in front of each line: the time (CI services), the rank (torch's own hook for tracebacks,
#: torchrun, mpirun), the worker (Ray). A number alone is a rank only in front of a prefix of torch; else it is a
#: footnote.
_TIME = r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+Z ?)"
_RANK = (
    r"(?:\[(?:[A-Za-z_]+|\d{1,9},)(?P<rank>\d{1,9})\](?:<std(?:out|err)>)?: ?"
    r"|\[(?P<bare>\d{1,9})\]: ?(?=[VDIWEC]\d{4} |\[\d{4}-)"
    r"|\(\w[\w.()]{0,99} pid=(?P<worker>\d{1,18})(?:, ip=[\w.:]{1,99})?\) )"
)
_PREFIX = re.compile(
    rf"^{_TIME}?{_RANK}?(?:"
    r"[VDIWEC]\d{4} [\d:.]+ (?P<process>\d+) \S+:\d+\](?P<told>(?: \[[^\]\n]*\])*) ?"
    r"|\[\d{4}-\d\d-\d\d [\d:,.]+\](?: \[(?P<id>[^\]\n]*)\])? (?P<logger>[\w.]+): \[[A-Z]+\] ?"
    r")?(?(time)|(?(rank)|(?(worker)|(?(process)|(?(logger)|(?!))))))",  # one of them at least
    re.MULTILINE,
)
#: The same behind what quotes the line or a launcher writes in front of it: `> `, `# `, `[default0]:`, `0: `, `12:`.
_BEHIND = re.compile(
    r"^([^\n]{1,120}?)(?:\[[A-Za-z_]+(\d{1,9})\]: ?)?"
    r"[VDIWEC]\d{4} \d\d:\d\d:[\d.]+ (\d+) \S+:\d+\]((?: \[[^\]\n]*\])*) ?",
    re.MULTILINE,
)
#: What each kind of prefix holds for sure: words, and around them an expression. Looking for the words first spares
#: big dumps without prefixes a slow search.
_SIGNS_OF_PREFIX = (
    ((".py:",), re.compile(r"\.py:\d+\]")),
    (("[20", "[19"), re.compile(r"\[(?:20|19)\d\d-\d\d-\d\d ")),
    (("]:",), re.compile(r"\]:(?<=\d\]:)")),
    (("Z",), re.compile(r"Z(?<=\dZ)")),
    (("<",), re.compile(r"\]<std(?:out|err)>:")),
    ((" pid=",), re.compile(r" pid=\d")),
)
_BRACKETED = re.compile(r"\[([^\]\n]*)\]")
_COMPILE_ID = re.compile(r"!?\d[\d/_!]*|!\d?[\d/_!]*|-")
_ANNOUNCED_ID = re.compile(r"\[(!?\d+/\d[\d_/]*|!\d+)\]")
#: A line of more characters is no title. Many graphs can stand below one line.
_LONGEST_TITLE = 2000
#: `===== Forward graph 0 =====`, and `---submod_0 graph---` of torch/_dynamo/backends/distributed.py.
_TITLE = re.compile(r"^[ \t]*(?:=+ (.+?) =+|---([\w ]+ graph)---)[ \t]*$", re.MULTILINE)
#: TORCH_LOGS=graph of torch 2.2 (torch/_dynamo/utils.py `format_graph_tabular`).
_TITLE_BEFORE = re.compile(r"[ \t]*(\S+) <eval_with_key>\.\d+ ")


class Stream(NamedTuple):
    """The lines of one writer, as a page without their prefixes.

    container   `log`, `trace`, or None for the lines without a prefix
    rank, compile_id, title   as on `Graph`
    others      the lines of the page `without_records`, where they are known
    """

    page: Page
    container: str | None
    rank: int | None
    compile_id: str | None
    title: str | None
    process: str | None = None
    others: str | None = None


def split_streams(page: Page) -> list[Stream]:
    """One stream a rank, process, compilation and artefact; one a payload of a trace; one for all other lines.

    A text without such prefixes gives itself as the only stream.
    """
    text = page.text
    others = without_records(text)
    if not has_sign_of_prefix(others) or not (_PREFIX.search(others) or _BEHIND.search(others)):
        return [Stream(page, None, None, None, None, others=others)]
    lines: dict[tuple[str | None, ...], list[tuple[int, int]]] = {}
    payloads: list[tuple[str, list[tuple[int, int]]]] = []
    rest: list[tuple[int, int]] = []
    leader: str | None = None  # in front of each line of the payload that is being read
    blank: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        prefix = _PREFIX.match(text, at, end)
        behind = None if prefix and (prefix["process"] or prefix["logger"]) else _BEHIND.match(text, at, end)
        if prefix is None and behind is None:
            if leader is not None and text.startswith(leader + "\t", at):
                payloads[-1][1].extend([*blank, (at + len(leader) + 1, end)])
                blank = []
            elif leader is not None and text[at:end].strip() == leader.strip() and text[end - 1 : end] == "\n":
                blank.append((end - 1, end))  # editors take the tab of a blank line away: what follows will tell
            else:
                leader, blank = None, []
                rest.append((at, end))
        else:
            start = min(behind.end() if behind else prefix.end() if prefix else at, end)
            leader, blank = None, []
            if text.startswith("{", start):
                leader = behind[1] if behind else ""
                payloads.append((text[start:end], []))
            else:
                key = _key_of(*behind.group(2, 3, 4)) if behind else _key(prefix) if prefix else ()
                lines.setdefault(key, []).append((start, end))
        at = end
    streams = [Stream(page.of_pieces(rest), None, None, None, None)] if rest else []
    for (rank, process, compile_id, _), pieces in lines.items():
        number = int(rank) if rank else None
        streams.append(Stream(page.of_pieces(pieces), "log", number, compile_id, None, process))
    streams += [_payload_stream(page, record, pieces) for record, pieces in payloads if pieces]
    return streams


def has_sign_of_prefix(text: str) -> bool:
    """Whether a text may hold the prefix of a log."""
    return any(
        any(word in text for word in words) and sign.search(text) is not None for words, sign in _SIGNS_OF_PREFIX
    )


def title_above(text: str, begin: int) -> str | None:
    """What `===== Forward graph 0 =====` above a graph calls it, within three lines, or the words before a table."""
    end = text.rfind("\n", 0, begin)
    title = _title_before(text, end + 1, begin)
    if title is not None:
        return title
    for _ in range(3):
        if end < 0:
            break
        line = text.rfind("\n", 0, end) + 1
        title = _title_in(text, line, end)
        if title is not None:
            return title
        end = line - 1
    return None


def announced(text: str, begin: int) -> tuple[str | None, str | None]:
    """Title and compile id of a graph under `TRACED GRAPH` and `===== name =====`, whatever stands in front of them."""
    line = text.rfind("\n", 0, begin) + 1
    above = text.rfind("\n", 0, max(line - 1, 0)) + 1
    first = text.rfind("\n", 0, max(above - 1, 0)) + 1
    title = _title_before(text, line, begin)
    if title is None:
        title = _title_in(text, above, line)
    else:  # its title stands on the line of its head
        above, first = line, above
    if title is None or above - first > _LONGEST_TITLE or "TRACED GRAPH" not in text[first:above]:
        return None, None
    compile_id = _ANNOUNCED_ID.search(text, first, above)
    return title, compile_id[1] if compile_id else None


def _title_before(text: str, line: int, begin: int) -> str | None:
    """The title in front of a table's head, ` __compiled_fn_0 <eval_with_key>.0 opcode  name ...`."""
    title = _TITLE_BEFORE.fullmatch(text, line, begin) if begin - line <= _LONGEST_TITLE else None
    return title[1] if title else None


def _title_in(text: str, line: int, end: int) -> str | None:
    """The title that is all of a line."""
    title = _TITLE.match(text, line, end) if end - line <= _LONGEST_TITLE else None
    return (title[1] or title[2]) if title else None


def _key(prefix: re.Match[str]) -> tuple[str | None, ...]:
    rank = prefix["rank"] or prefix["bare"]
    if prefix["logger"] is not None:
        return rank, prefix["worker"], prefix["id"], prefix["logger"]
    if prefix["process"] is None:
        return rank, prefix["worker"], None, None
    return _key_of(rank, prefix["process"], prefix["told"])


def _key_of(rank: str | None, process: str | None, brackets: str) -> tuple[str | None, ...]:
    told = _BRACKETED.findall(brackets)
    compile_id = next((part for part in told if _COMPILE_ID.fullmatch(part)), None)
    artefact = next((part for part in told if part.startswith("__")), None)
    return rank, process, compile_id, artefact


def _payload_stream(page: Page, record: str, pieces: list[tuple[int, int]]) -> Stream:
    rank = compile_id = title = None
    try:
        told = json.loads(record)
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict):
        frame, number = told.get("frame_id"), told.get("frame_compile_id")
        if isinstance(frame, int) and isinstance(number, int):
            attempt = told.get("attempt")
            compile_id = f"{frame}/{number}" + (f"_{attempt}" if attempt else "")
        rank = told.get("rank") if isinstance(told.get("rank"), int) else None
        artefact = told.get("artifact")
        if isinstance(artefact, dict) and isinstance(artefact.get("name"), str):
            title = artefact["name"]
        else:
            title = next(iter(told), None)
    return Stream(page.of_pieces(pieces), "trace", rank, compile_id, title)
