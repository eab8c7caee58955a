import pytest

from fxgraph.lsp.uris import name_of, path_of


@pytest.mark.parametrize(
    ("uri", "path", "name"),
    [
        ("file:///home/me/net.fxgraph", "/home/me/net.fxgraph", "net.fxgraph"),
        ("file://localhost/home/me/net.fxgraph", "/home/me/net.fxgraph", "net.fxgraph"),
        ("file:///c%3A/My%20Dumps/n%C3%A9t%23.fxgraph", "c:/My Dumps/nét#.fxgraph", "nét#.fxgraph"),
        ("file:///C:/dumps/net.fxgraph", "C:/dumps/net.fxgraph", "net.fxgraph"),
        ("file:///d%3a%5Cdumps%5Cnet.fxgraph", "d:\\dumps\\net.fxgraph", "net.fxgraph"),
        ("FILE:///x/net.fxgraph", "/x/net.fxgraph", "net.fxgraph"),
        ("file://server/share/net.fxgraph", "//server/share/net.fxgraph", "net.fxgraph"),
        ("file:///x/100%.fxgraph", "/x/100%.fxgraph", "100%.fxgraph"),
        ("file:///x/a%2Fb.fxgraph", "/x/a/b.fxgraph", "b.fxgraph"),
        ("file:///x/net.fxgraph#L3", "/x/net.fxgraph", "net.fxgraph"),
        ("file:///x/%FF.fxgraph", "/x/\ufffd.fxgraph", "\ufffd.fxgraph"),
        ("untitled:Untitled-1", None, "Untitled-1"),
        ("untitled:/home/me/new.fxgraph", None, "new.fxgraph"),
        ("vscode-notebook-cell:/x/lesson.ipynb#W0sZ", None, "lesson.ipynb"),
        ("git:/x/net.fxgraph?%7B%22ref%22%3A%22HEAD%22%7D", None, "net.fxgraph"),
        ("file://[broken/net.fxgraph", None, "net.fxgraph"),
        ("net.fxgraph", None, "net.fxgraph"),
        ("", None, "document"),
        ("file:///", "/", "document"),
    ],
)
def test_path_and_name_of_a_uri(uri, path, name):
    assert path_of(uri) == path
    assert name_of(uri) == name
