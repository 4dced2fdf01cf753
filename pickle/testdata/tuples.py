"""Prints the tuples with named fields of Python's library, for tuples.txt: module, class, what its repr begins with, and the fields.

    python3.12 pickle/testdata/tuples.py > pickle/tuples.txt
"""
import importlib, pkgutil, sys, textwrap, warnings

warnings.simplefilter('ignore')
LEFT_OUT = {'antigravity', 'distutils', 'ensurepip', 'idlelib', 'lib2to3', 'pydoc_data', 'test', 'this', 'tkinter', 'turtle'}


def modules():
    for name in sorted(sys.stdlib_module_names - LEFT_OUT):
        if name.startswith('__'):
            continue
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        yield module
        for sub in pkgutil.iter_modules(getattr(module, '__path__', []), name + '.'):
            if not sub.name.endswith(('__main__', '.tests', '.test')):
                try:
                    yield importlib.import_module(sub.name)
                except Exception:
                    pass


found = {}
for m in modules():
    for k, v in list(vars(m).items()):
        if not isinstance(v, type) or not issubclass(v, tuple) or v is tuple or v.__module__.split('.')[0] not in sys.stdlib_module_names:
            continue
        if getattr(sys.modules.get(v.__module__), v.__qualname__, None) is not v:
            continue  # which cannot be pickled
        if v.__repr__ is tuple.__repr__:
            continue
        if hasattr(v, '_fields'):
            fields = v._fields
            try:
                r = repr(tuple.__new__(v, [0] * len(fields)))
            except (AttributeError, TypeError):
                continue
        elif hasattr(v, 'n_sequence_fields'):
            try:
                r = repr(v([0] * v.n_sequence_fields))
            except TypeError:
                continue
            fields = [f.split('=')[0] for f in r[r.index('(') + 1:-1].split(', ')]
        else:
            continue
        if '(' in r and r == r[:r.index('(') + 1] + ', '.join(f + '=0' for f in fields) + ')':
            found[v.__module__, v.__qualname__] = r[:r.index('(')], fields
for (module, name), (head, fields) in sorted(found.items()):
    print(textwrap.fill(' '.join([module, name, head, *fields]), 118, subsequent_indent='  ', break_on_hyphens=False))
