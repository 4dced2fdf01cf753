"""Prints the enums of Python's library, for enums.txt: module, class, how a member prints, and the members with their values.

    python3.12 pickle/testdata/enums.py > pickle/enums.txt

A member prints as <Class.NAME: value>, as <Class.NAME> (name), or as module.NAME (global); flag is for those that can be combined.
"""
import enum, importlib, pkgutil, sys, textwrap, warnings

warnings.simplefilter('ignore')
LEFT_OUT = {'antigravity', 'asyncio', 'ast', 'distutils', 'ensurepip', 'idlelib', 'lib2to3', 'pydoc_data', 'test', 'this', 'tkinter', 'turtle'}


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
    for v in list(vars(m).values()):
        if isinstance(v, enum.EnumMeta) and list(v) and v.__module__.split('.')[0] in sys.stdlib_module_names:
            found[v.__module__, v.__qualname__] = v
for (module, name), v in sorted(found.items()):
    first = list(v)[0]
    if not isinstance(first._value_, (int, str)):
        continue
    style = {f'<{name}.{first.name}: {first._value_!r}>': 'value', f'<{name}.{first.name}>': 'name'}.get(repr(first), 'global')
    members = [f'{n}={m._value_!r}'.replace(' ', '\\x20') for n, m in v.__members__.items() if m.name == n]
    line = [module, name, style + 'flag' * issubclass(v, enum.Flag)] + members
    print(textwrap.fill(' '.join(line), 118, subsequent_indent='  ', break_on_hyphens=False, break_long_words=False))
