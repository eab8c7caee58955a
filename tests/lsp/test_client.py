import pytest

from fxgraph.lsp.client import Client, client_of


def test_a_client_that_says_nothing_counts_in_utf_16():
    assert client_of({}) == Client(encoding="utf-16")


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-8", "utf-16", "utf-32"], "utf-8"),
        (["utf-32", "utf-8"], "utf-32"),
        (["utf-16"], "utf-16"),
        (["utf-7", "utf-8"], "utf-8"),
        (["utf-7"], "utf-16"),
        ([], "utf-16"),
        ("utf-8", "utf-16"),
        ([["utf-8"], None, 8], "utf-16"),
    ],
)
def test_the_first_known_encoding_of_the_client_is_taken(offered, chosen):
    assert client_of({"general": {"positionEncodings": offered}}).encoding == chosen


@pytest.mark.parametrize(
    "wrong", [None, [], "x", {"textDocument": 1, "general": [], "workspace": {"configuration": 1}}]
)
def test_capabilities_of_a_wrong_shape_count_as_absent(wrong):
    assert client_of(wrong) == Client()


def test_what_a_client_shows_of_a_finding():
    client = client_of(
        {"textDocument": {"publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}}}}
    )
    assert client.tags and client.related
    assert not client.code_description and not client.pulls
