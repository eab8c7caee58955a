"""Run a command and print how many seconds it took and the most bytes of memory it has held.

    python peak.py COMMAND [ARGUMENT ...]

A process of its own, as small as can be: a child counts its parent's memory as its own until it runs its program.
"""

import os
import sys
import time

if __name__ == "__main__":
    began = time.perf_counter()
    away = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[away])
    _, status, used = os.wait4(child, 0)
    spent = time.perf_counter() - began
    unit = 1 if sys.platform == "darwin" else 1024
    print(spent, used.ru_maxrss * unit, os.waitstatus_to_exitcode(status))
