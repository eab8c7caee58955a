"""What was seen, as lines of JSON: one file for each process, each line written at once, so that a crash loses none."""

import json
import os
import time
import traceback


class Journal:
    """Lines for the files `<process id>.jsonl` of a folder."""

    def __init__(self, folder, number=()):
        """`number` tells which process it is: the script's own is `()`, the second one that it spawns `(1,)`."""
        self.folder = folder
        self.number = list(number)
        self.process = None
        self.file = None

    def write(self, entry):
        """Write one dict. A folder that is gone (the watching side has ended) is no error of the script's."""
        try:
            if self.process != os.getpid():  # also behind a fork
                self.process = os.getpid()
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
                self.file = os.open(os.path.join(self.folder, "{}.jsonl".format(self.process)), flags, 0o600)
                entry = dict(entry, began=time.time(), number=self.number)
            data = json.dumps(entry).encode() + b"\n"
            while data:
                data = data[os.write(self.file, data) :]
        except OSError:
            pass

    def error(self, error):
        """Tell of a hook that failed."""
        words = traceback.format_exception_only(type(error), error)
        self.write({"error": words[-1].strip()[:300]})
