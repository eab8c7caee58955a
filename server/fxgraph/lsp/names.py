"""Names that this server adds to the protocol."""

#: Requests: see `lsp/views.py`.
VIEW = "fxgraph/view"
SLICE = "fxgraph/slice"
DEBUG_INFO = "fxgraph/debugInfo"

#: A notification of the client: `{"trusted": true, "python": PATH?}`, as at initialization.
TRUST = "fxgraph/didChangeTrust"

#: A notification to clients that say `experimental.fxgraph.torch`: the release that answers, or one line why none does:
#: `{"version": "2.13.0" | null, "line": "..." | null}`.
TORCH = "fxgraph/torch"

#: Commands of `workspace/executeCommand`: see `lsp/search.py` and `lsp/aids.py`.
FIND = "fxgraph.find"
TABLE = "fxgraph.table"

#: Run the script that a dump proposes as its source, for types; end that run. Both get the URI of the dump.
RERUN = "fxgraph.rerunSource"
STOP = "fxgraph.stopSource"

#: A request to clients that ask the user themselves: see `lsp/reruns.py`.
CONFIRM = "fxgraph/confirmRun"

#: A command that the client runs: it asks for the slice (`SLICE`) and puts it into the clipboard.
COPY_SLICE = "fxgraph.copySlice"

#: Kinds of code actions.
QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.fxgraph"
REFACTOR = "refactor"
ACTION_KINDS = (QUICK_FIX, REFACTOR, FIX_ALL)
