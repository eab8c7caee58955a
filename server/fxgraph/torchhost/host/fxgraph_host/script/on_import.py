"""Call a function when a module has been imported, without importing it."""

import sys


class _Finder:
    """Asks the finders behind it, and lets the module's loader tell when it is done."""

    def __init__(self):
        self.waiting = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.waiting:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if finder is not self and find is not None else None
            if spec is not None:
                break
        else:
            return None
        loader = spec.loader
        load = getattr(loader, "exec_module", None)
        if load is None:
            return spec

        def exec_module(module):
            loader.__dict__.pop("exec_module", None)
            load(module)
            self.tell(name, module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass
        return spec

    def tell(self, name, module):
        for function, error in self.waiting.pop(name, ()):
            try:
                function(module)
            except Exception as failed:
                error(failed)


_FINDER = _Finder()


def when_imported(name, function, error):
    """Call `function(module)` once the module `name` is there; `error` takes the exception that it raises."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    _FINDER.waiting.setdefault(name, []).append((function, error))
    if name in sys.modules:
        _FINDER.tell(name, sys.modules[name])
