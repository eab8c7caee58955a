"""Whole sessions with a real server process, as Neovim (pulls findings, UTF-8) and VS Code (pushed ones, UTF-16) do."""

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from fxgraph.features.config import DEFAULTS
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.diagnostics import RULES_PAGE, in_stages
from lsp.raw_client import COMMAND

URI = "file:///w/net.fxgraph"

#: `%lost` is dead, `%relu` claims three users, and what follows the fire has other columns in UTF-8 and UTF-16.
TEXT = """\
graph():
    %x : [num_users=2] = placeholder[target=x]
    %relu : [num_users=3] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %lost : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %f : [num_users=1] = call_function[target=my.op](args = ("🔥", %relu), kwargs = {})
    return f
"""

FIRE_LINE = TEXT.splitlines()[4]


def column(line: str, words: str, encoding: str) -> int:
    """Where some words begin in a line."""
    return len(line[: line.index(words)].encode(encoding)) // {"utf-8": 1, "utf-16-le": 2}[encoding]


async def start(client: LanguageClient, editor: str, **more: object) -> types.ServerCapabilities:
    parameters = types.InitializeParams(capabilities=client_capabilities(editor), root_uri="file:///w", **more)
    return (await client.initialize_session(parameters)).capabilities


def open_text(client: LanguageClient, text: str = TEXT) -> types.TextDocumentIdentifier:
    item = types.TextDocumentItem(uri=URI, language_id="fxgraph", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    return types.TextDocumentIdentifier(uri=URI)


def replace_word(client: LanguageClient, version: int, line: int, old: str, new: str) -> None:
    begin = TEXT.splitlines()[line].index(old)
    edit = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(line, begin), types.Position(line, begin + len(old))), text=new
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=URI, version=version), content_changes=[edit]
        )
    )


async def pushed(client: LanguageClient) -> dict[str, types.Diagnostic]:
    """The next findings that the server pushes, by code."""
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return {str(item.code): item for item in client.diagnostics[URI]}


async def pulled(client: LanguageClient, known: str | None = None) -> types.DocumentDiagnosticReport:
    parameters = types.DocumentDiagnosticParams(
        text_document=types.TextDocumentIdentifier(uri=URI), previous_result_id=known
    )
    return await client.text_document_diagnostic_async(parameters)


@pytest_lsp.fixture(config=ClientServerConfig(server_command=list(COMMAND)))
async def client(lsp_client: LanguageClient):
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    yield
    await lsp_client.shutdown_session()
    assert lsp_client.messages == []  # nothing pops up


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("editor", "encoding", "negotiated"),
    [("neovim", "utf-8", types.PositionEncodingKind.Utf8), ("visual-studio-code", "utf-16-le", "utf-16")],
)
async def test_questions_about_a_name(client: LanguageClient, editor: str, encoding: str, negotiated: str):
    capabilities = await start(client, editor)
    assert capabilities.position_encoding == negotiated
    document = open_text(client)
    use = types.Position(4, column(FIRE_LINE, "relu", encoding))
    use_range = types.Range(use, types.Position(4, use.character + 4))
    name_range = types.Range(types.Position(2, 5), types.Position(2, 9))

    [definition] = await client.text_document_definition_async(types.DefinitionParams(document, use))
    assert isinstance(definition, types.LocationLink)
    assert (definition.target_uri, definition.target_selection_range) == (URI, name_range)
    assert definition.origin_selection_range == use_range

    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, use)
    )
    assert list(references) == [types.Location(URI, name_range), types.Location(URI, use_range)]
    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=False), document, use)
    )
    assert list(references) == [types.Location(URI, use_range)]

    marks = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, use))
    assert list(marks) == [
        types.DocumentHighlight(name_range, types.DocumentHighlightKind.Write),
        types.DocumentHighlight(use_range, types.DocumentHighlightKind.Read),
    ]

    hover = await client.text_document_hover_async(types.HoverParams(document, use))
    assert hover.range == use_range
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.Markdown
    assert "relu" in hover.contents.value

    [graph] = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert isinstance(graph, types.DocumentSymbol)
    assert [child.name for child in graph.children] == ["x", "relu", "lost", "f", "output"]
    fire = graph.children[3]
    assert fire.range.end.character == len(FIRE_LINE.encode(encoding)) // (2 if "16" in encoding else 1)


@pytest.mark.asyncio
async def test_vs_code_gets_findings_pushed(client: LanguageClient):
    capabilities = await start(client, "visual-studio-code")
    assert capabilities.diagnostic_provider is None
    open_text(client)
    found = await pushed(client)
    assert set(found) == {"FX104", "FX201"}

    count = found["FX104"]
    assert count.severity == types.DiagnosticSeverity.Warning
    assert count.source == "fxgraph"
    assert count.range.start == types.Position(2, TEXT.splitlines()[2].index(count_text(count)))
    assert count.code_description is None or count.code_description.href == f"{RULES_PAGE}#fx104"
    dead = found["FX201"]
    assert dead.severity == types.DiagnosticSeverity.Hint
    assert list(dead.tags) == [types.DiagnosticTag.Unnecessary]

    replace_word(client, 2, 2, "num_users=3", "num_users=1")
    assert set(await pushed(client)) == {"FX201"}

    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri=URI)))
    assert await pushed(client) == {}


def count_text(finding: types.Diagnostic) -> str:
    place = finding.range
    return TEXT.splitlines()[place.start.line][place.start.character : place.end.character]


@pytest.mark.asyncio
async def test_neovim_pulls_findings(client: LanguageClient):
    capabilities = await start(client, "neovim")
    assert capabilities.diagnostic_provider is not None
    open_text(client)

    report = await pulled(client)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert {item.code for item in report.items} == {"FX104", "FX201"}
    again = await pulled(client, report.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)

    replace_word(client, 2, 2, "num_users=3", "num_users=1")
    after = await pulled(client, report.result_id)
    assert isinstance(after, types.RelatedFullDocumentDiagnosticReport)
    assert {item.code for item in after.items} == {"FX201"}
    assert client.diagnostics == {}


@pytest.mark.asyncio
async def test_settings_come_with_initialize_and_change(client: LanguageClient):
    await start(client, "visual-studio-code", initialization_options={"rules": {"ignore": ["FX201"]}})
    open_text(client)
    assert set(await pushed(client)) == {"FX104"}
    client.set_configuration({"ignore": ["FX104"]}, section="fxgraph.rules")
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    assert set(await pushed(client)) == {"FX201"}


@pytest.mark.asyncio
async def test_settings_of_a_pulling_client_change_its_next_report(client: LanguageClient):
    await start(client, "neovim")
    open_text(client)
    before = await pulled(client)
    client.set_configuration({"select": ["FX201"]}, section="fxgraph.rules")
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings={}))
    # The server asks for the new settings first: a round trip later it has them.
    await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(uri=URI), types.Position(0, 0))
    )
    after = await pulled(client, before.result_id)
    assert isinstance(after, types.RelatedFullDocumentDiagnosticReport)
    assert {item.code for item in after.items} == {"FX201"}


def test_findings_of_a_big_dump_come_in_stages():
    """The quick rules first; a later list holds the earlier ones, and the last is what `check` finds."""
    count = 20_000
    lines = [
        f"    %n_{i} : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {{}})"
        for i in range(count)
    ]
    lines[5] = lines[5].replace("num_users=1", "num_users=3").replace("(%x, %x)", "(%x,)")
    returned = ", ".join(f"n_{i}" for i in range(count) if i != 7)
    text = "\n".join(
        ["graph():", f"    %x : [num_users={count}] = placeholder[target=x]", *lines, f"    return ({returned})"]
    )
    snapshot = Snapshot(text.replace("%n_7 : [num_users=1]", "%n_7 : [num_users=0]"))
    stages = [
        [(finding.code, finding.name) for finding in found] for found in in_stages(snapshot, DEFAULTS, lambda: None)
    ]
    assert stages == [
        [("FX104", "n_5")],
        [("FX104", "n_5"), ("FX201", "n_7")],
        [("FX104", "n_5"), ("FX402", "n_5"), ("FX201", "n_7")],
    ]
    assert stages[-1] == [(finding.code, finding.name) for finding in snapshot.findings()]
