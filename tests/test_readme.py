"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_shows_what_make_run_prints() -> None:
    shown = re.search(r"^```text\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    dump = re.search(r"^DUMP \?= (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert shown
    assert dump
    done = subprocess.run(
        [sys.executable, "scripts/tour.py", dump[1]], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    program = str(Path(sys.executable).with_name("fxgraph"))
    printed = done.stdout.replace(program, "~/fxgraph/.venv/bin/fxgraph").replace(str(ROOT), "~/fxgraph")
    printed = re.sub(r"fxgraph-[\d.]+\w*\.vsix", "fxgraph-0.1.0.vsix", printed)
    assert shown[1].strip() == printed.strip()


def test_links_lead_to_files() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        prose = re.sub(
            r"^(```.*?^```|    [^\n]*)$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for target in re.findall(r"\]\(([^)#]+)", prose):
            if not target.startswith(("https://", "http://")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_pictures_are_there_in_both_themes_and_small() -> None:
    shown = set(re.findall(r'(?:src|srcset)="([^"]+)"', README))
    assert shown == {str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "pictures").glob("*.png")}
    assert {name.rpartition("-")[2] for name in shown} == {"dark.png", "light.png"}
    assert all((ROOT / name).stat().st_size < 150_000 for name in shown)


def test_tour_of_a_missing_dump() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "tour.py", "no/such.dump"], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (2, "no/such.dump: no such file\n")


def test_tour_of_a_directory(tmp_path: Path) -> None:
    tour = [sys.executable, ROOT / "scripts" / "tour.py", tmp_path]
    done = subprocess.run(tour, capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{tmp_path}: a directory, this shows one file; for all in it: ")
    assert done.stderr.endswith(f"fxgraph check {tmp_path}\n")
