"""Who asked for a text: the script, or torch for itself."""

import os
import sys
import sysconfig

_STANDARD = os.path.normcase(sysconfig.get_path("stdlib")) + os.sep
_OUR = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
#: Methods of these only pass on what they were asked.
_PASSING = ("_lazy_graph_module.py",)


def asked_by_script(torch_folder, passing=_PASSING):
    """Whether the code that asks is no part of torch. Between it and us may stand the standard library (logging), and
    files of torch that only pass on what they were asked.
    """
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        is_standard = os.path.normcase(name).startswith(_STANDARD) and "site-packages" not in name
        if not (name.startswith((_OUR, "<frozen")) or name.endswith(passing) or is_standard):
            return not name.startswith(torch_folder)
        frame = frame.f_back
    return False
