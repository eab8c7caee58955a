"""Starts the server of the extension: `<python> -I launch.py [arguments of "fxgraph serve"]`.

`-I` keeps the working directory, the environment and the user's packages out; the bundled folders come first,
so that a package of the same name in the interpreter's own environment does not run in their place.
This file must be readable by any Python 3, which is why it says what is wrong instead of failing to parse.
"""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))

if sys.version_info < (3, 10):
    sys.exit("fxgraph needs Python 3.10 or newer; %s is %s" % (sys.executable, sys.version.split()[0]))

sys.path[:0] = [os.path.join(FOLDER, "server"), os.path.join(FOLDER, "libs")]

from fxgraph.cli import main

sys.exit(main(["serve", *sys.argv[1:]]))
