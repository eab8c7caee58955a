"""Processes that the script spawns (`torch.multiprocessing.spawn`) are watched, too.

multiprocessing/util.py `spawnv_passfds` starts a new Python with this one's environment, from which the job has been
taken: for that moment it is put back, and the new Python takes it out again. Forked processes need nothing.
"""

import functools
import itertools
import json
import os


def watch_children(job, site):
    """Returns what to do when `multiprocessing.util` has been imported; `site` is the folder of our sitecustomize."""
    spawned = itertools.count()

    def hook(module):
        spawn = getattr(module, "spawnv_passfds", None)  # Windows spawns in another way
        if spawn is None:
            return

        @functools.wraps(spawn)
        def watched(*arguments, **options):
            own = os.environ.get("PYTHONPATH")
            number = [*job.get("number", ()), next(spawned)]
            os.environ["FXGRAPH_JOB"] = json.dumps(dict(job, pythonpath=own, number=number))
            os.environ["PYTHONPATH"] = site if not own else site + os.pathsep + own
            try:
                return spawn(*arguments, **options)
            finally:
                del os.environ["FXGRAPH_JOB"]
                if own is None:
                    del os.environ["PYTHONPATH"]
                else:
                    os.environ["PYTHONPATH"] = own

        module.spawnv_passfds = watched

    return hook
