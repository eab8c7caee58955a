"""`python -m fxgraph` is the command `fxgraph`."""

import sys

from fxgraph.cli import main

sys.exit(main())
