"""Write docs/rules.md from the docstrings of the rules, and the tables of docs/settings.md from the VS Code manifest.

python scripts/generate_docs.py            writes the files
python scripts/generate_docs.py --check    says whether they are up to date, exit status 1 where they are not
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from pathlib import Path

from fxgraph.analysis import RULES, Rule

ROOT = Path(__file__).resolve().parent.parent
RULES_FILE = ROOT / "docs" / "rules.md"
SETTINGS_FILE = ROOT / "docs" / "settings.md"
MANIFEST = ROOT / "vscode-extension" / "package.json"
#: Beginnings of the settings that every editor may send.
_OF_SERVER = ("fxgraph.rules.", "fxgraph.inlayHints.", "fxgraph.symbols.", "fxgraph.torch.")

_HEAD = """\
# Rules

<!-- Written by scripts/generate_docs.py from the docstrings in server/fxgraph/analysis/rules. Edit those. -->

What fxgraph finds in a printed graph. A finding has to be right: where torch's semantics are not known, as with a
custom operator, the rules say nothing. Rules about what is missing are asked about whole graphs only: those with
a beginning, an end, and no line that could not be read.

On the command line `fxgraph check --select FX201,FX202` asks these rules alone, and `--ignore FX104` leaves rules out;
in an editor the settings `fxgraph.rules.select` and `fxgraph.rules.ignore` take lists of codes. `fxgraph check` ends
with exit status 1 where a finding is a warning or an error.

## For a project

The command line and the editors read the table `[tool.fxgraph]` of the nearest `pyproject.toml` that has one, looked
for from the dump's folder upwards:

```toml
[tool.fxgraph]
ignore = ["FX104", "dead-node"]    # or: select = ["FX1"], which names every rule to ask

[tool.fxgraph.severities]
FX301 = "error"                    # error, warning, information or hint
```

`--select` and the setting `fxgraph.rules.select` override what the project selects and ignores; what `--ignore` and
`fxgraph.rules.ignore` name is left out as well.

## For one line

A comment at the end of a line, or on a line of its own above it, silences findings that begin on that line:

```text
%relu : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})  # fxgraph: ignore[FX104]
# fxgraph: ignore[FX104, FX201]
%neg : [num_users=3] = call_function[target=torch.neg](args = (%x,), kwargs = {})
```

It may stand in every form, in a log, too. Above a head (`graph():`, `class GraphModule(...):`, the head of a table) it
has to have its own line. Codes, beginnings of codes and names of rules count; without a bracket every rule is silent.

## For services

`fxgraph check --format sarif` writes one log of SARIF 2.1.0, as code scanning services take it; `--format github`
writes commands of a GitHub Actions workflow, which become annotations of the changed lines. Information and hints are
notes there. `--format json` writes one object for each file.

## All rules

| code | name | severity | finds |
| --- | --- | --- | --- |
"""


def rules_page() -> str:
    """The text of docs/rules.md."""
    rows = [
        f"| [{rule.code}](#{rule.code.lower()}) | {rule.name} | {_severity(rule)} | {_summary(rule)} |"
        for rule in RULES.values()
    ]
    return _HEAD + "\n".join(rows) + "\n\n" + "\n".join(_section(rule) for rule in RULES.values())


def settings_page() -> str:
    """The text of docs/settings.md: the one that is there, with its tables written anew."""
    properties = json.loads(MANIFEST.read_text(encoding="utf-8"))["contributes"]["configuration"]["properties"]
    tables = {"server": [], "vscode": []}
    for name, setting in properties.items():
        described = setting.get("markdownDescription") or setting["description"]
        default = json.dumps(setting["default"])
        tables["server" if name.startswith(_OF_SERVER) else "vscode"].append(
            f"| `{name}` | {described} | `{default}` |"
        )
    text = SETTINGS_FILE.read_text(encoding="utf-8")
    for name, rows in tables.items():
        head = ["| setting | value | default |", "| --- | --- | --- |"]
        written = "\n".join([f"<!-- table: {name} -->", "", *head, *rows, "", "<!-- end of table -->"])
        text = re.sub(
            rf"<!-- table: {name} -->.*?<!-- end of table -->", lambda _, new=written: new, text, flags=re.DOTALL
        )
    return text


def _severity(rule: Rule) -> str:
    words = [rule.severity]
    if "unnecessary" in rule.tags:
        words.append("faded")
    if not rule.default_on:
        words.append("off by default")
    return ", ".join(words)


def _summary(rule: Rule) -> str:
    return inspect.cleandoc(rule.doc).split("\n")[0].rstrip(".")


def _section(rule: Rule) -> str:
    text = inspect.cleandoc(rule.doc)
    switch = (
        f"To silence it: `fxgraph check --ignore {rule.code}`, `{rule.code}` in the setting `fxgraph.rules.ignore` or "
        f"in the project's `ignore`, or `# fxgraph: ignore[{rule.code}]` on the line."
        if rule.default_on
        else f"To switch it on: `fxgraph check --select {rule.code}`, or the setting `fxgraph.rules.select`, "
        "which names every rule to ask."
    )
    # The heading is the bare code: diagnostics link to `docs/rules.md#fx104`.
    return f"## {rule.code}\n\n**{rule.name}** ({_severity(rule)})\n\n{text}\n\n{switch}\n"


def main() -> int:
    """Write the files, or compare them; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    pages = {RULES_FILE: rules_page(), SETTINGS_FILE: settings_page()}
    if not parser.parse_args().check:
        for file, page in pages.items():
            file.write_text(page, encoding="utf-8")
        return 0
    old = [file.name for file, page in pages.items() if not file.is_file() or file.read_text(encoding="utf-8") != page]
    for name in old:
        print(f"docs/{name} is not up to date: run python scripts/generate_docs.py", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
