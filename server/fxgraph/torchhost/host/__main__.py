"""Run as `<python> -I -X utf8 <this folder>`: the process that answers for the user's torch."""

import sys

# Other Pythons than the user's run this folder, too: none of them leaves its files here.
_write = not sys.dont_write_bytecode
sys.dont_write_bytecode = True
from fxgraph_host.serve import main  # noqa: E402

sys.path.pop(0)  # this folder: nothing that torch imports may be looked for here
sys.dont_write_bytecode = not _write
main()
