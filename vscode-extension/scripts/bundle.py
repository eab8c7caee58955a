"""Fills what the VSIX carries beside the TypeScript: `python scripts/bundle.py`, run by `make vsix`.

    bundled/libs/           the packages of bundled/requirements.txt, their dist-info folders with the licences included
    bundled/server/         a copy of server/fxgraph
    LICENSE, CHANGELOG.md   copies of the project's own
    THIRD_PARTY_NOTICES.md  the project's own notices, then the licence of every package in the VSIX

Reads dist/meta.json, which esbuild writes: it tells which npm packages are in dist/extension.js.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from email.parser import HeaderParser
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent.parent
PROJECT = EXTENSION.parent
BUNDLED = EXTENSION / "bundled"
LICENCE_FILES = ("LICENSE*", "LICENCE*", "License*", "license*", "COPYING*", "NOTICE*")


def install_libraries(target: Path) -> None:
    """Installs the pinned packages into `target`, as wheels that hold no compiled file."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(  # noqa: S603  (our own arguments)
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile",
         # "any" leaves wheels for all platforms only, also where pip would take a compiled one of the same version
         "--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.10",
         f"--target={target}", f"--requirement={BUNDLED / 'requirements.txt'}"],
        check=True,
    )  # fmt: skip
    shutil.rmtree(target / "bin", ignore_errors=True)
    compiled = [path.name for path in target.rglob("*") if path.suffix in {".so", ".pyd", ".dylib", ".dll"}]
    if compiled:
        sys.exit(f"compiled files among the bundled packages: {', '.join(compiled)}")


def copy_server(target: Path) -> None:
    """Copies the server's package, without what Python leaves in it."""
    shutil.rmtree(target, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*_cache")
    shutil.copytree(PROJECT / "server" / "fxgraph", target / "fxgraph", ignore=ignored)


def python_notices(libraries: Path) -> list[str]:
    """One section per dist-info folder: name, version, licence, and the text of its licence files."""
    sections = []
    for folder in sorted(libraries.glob("*.dist-info")):
        about = HeaderParser().parsestr((folder / "METADATA").read_text(encoding="utf-8"))
        licence = about["License-Expression"] or about["License"] or ""
        texts = licence_texts(folder) or licence_texts(folder / "licenses")
        sections.append(section(f"{about['Name']} {about['Version']}", licence, texts))
    return sections


def npm_notices(meta: Path) -> list[str]:
    """One section per npm package of which esbuild took a file."""
    inputs = json.loads(meta.read_text(encoding="utf-8"))["inputs"]
    sections = []
    for folder in sorted({package_folder(path) for path in inputs if "node_modules/" in path}):
        about = json.loads((EXTENSION / folder / "package.json").read_text(encoding="utf-8"))
        title = f"{about['name']} {about['version']}"
        sections.append(section(title, about.get("license", ""), licence_texts(EXTENSION / folder)))
    return sections


def package_folder(path: str) -> str:
    """`node_modules/@scope/name/lib/x.js` -> `node_modules/@scope/name`, also for nested packages."""
    before, _, inside = path.rpartition("node_modules/")
    parts = inside.split("/")
    return f"{before}node_modules/" + "/".join(parts[: 2 if inside.startswith("@") else 1])


def licence_texts(folder: Path) -> list[str]:
    """The texts of the licence files that lie in a folder."""
    files = {file for pattern in LICENCE_FILES for file in folder.glob(pattern) if file.is_file()}
    return [file.read_text(encoding="utf-8").strip() for file in sorted(files)]


def section(title: str, licence: str, texts: list[str]) -> str:
    """One package's part of the notices, in Markdown; ends the program where the package brought no licence text."""
    if not texts:
        sys.exit(f"{title}: no licence text found; it cannot be passed on without one")
    fence = "\n\n".join(f"```text\n{text}\n```" for text in texts)
    one_line = licence.strip().splitlines()[0] if licence.strip() else "see below"
    return f"## {title}\n\nLicence: {one_line}\n\n{fence}\n"


def main() -> None:
    """Fills the folders and writes the notices; ends with a message where a package may not be passed on."""
    install_libraries(BUNDLED / "libs")
    copy_server(BUNDLED / "server")
    for name in ("LICENSE", "CHANGELOG.md"):
        shutil.copyfile(PROJECT / name, EXTENSION / name)
    own = (PROJECT / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8").rstrip()
    parts = [own + "\n", *python_notices(BUNDLED / "libs"), *npm_notices(EXTENSION / "dist" / "meta.json")]
    (EXTENSION / "THIRD_PARTY_NOTICES.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
