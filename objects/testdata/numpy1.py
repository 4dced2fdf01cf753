"""Prints the names to which pickles can refer in the NumPy that runs this: each module with its classes and functions.

    /usr/bin/python3 objects/testdata/numpy1.py > objects/numpy1.txt    # with a NumPy 1
"""
import importlib, pkgutil, textwrap, types, warnings

warnings.simplefilter('ignore')
import numpy as np

LEFT_OUT = {'array_api', 'bench', 'compat', 'conftest', 'cversions', 'distutils', 'dual', 'f2py', 'generate_numpy_api', 'matlib',
            'overrides', 'setup', 'setup_common', 'testing', 'tests', 'testutils', 'timer_comparison', 'typing', 'umath', 'umath_tests', 'version'}
PRIVATE = {'_internal', '_multiarray_umath', '_exceptions', '_ufunc_config', '_pickle', '_generator', '_mt19937', '_pcg64', '_philox',
           '_sfc64', '_datasource', '_iotools', '_version', '_polybase', '_globals'}


def modules(package):
    yield package.__name__
    for m in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):
        last = m.name.rsplit('.', 1)[1]
        if last in LEFT_OUT or last.startswith('_') and last not in PRIVATE:
            continue
        module = importlib.import_module(m.name)
        if m.ispkg:
            yield from modules(module)
        else:
            yield m.name


def belongs(module, k, v):
    """Whether a pickle may know v by this name."""
    where = getattr(v, '__module__', None)
    if not callable(v) or k.startswith('__get') or k.endswith('_dispatcher') or isinstance(where, str) and not where.startswith('numpy'):
        return False
    makes = isinstance(v, type) or k.endswith(('reconstruct', '_ctor', '_frombuffer')) or 'unpickle' in k
    if where and where != module and module.startswith(('numpy.core.', 'numpy.lib.')):
        return module == 'numpy.lib.npyio' and k == 'DataSource' or module in ('numpy.core.defchararray', 'numpy.core.records')
    return not k.startswith('_') or where == module and makes


for name in sorted(modules(np)):
    found = [k for k, v in sorted(vars(importlib.import_module(name)).items()) if belongs(name, k, v)]
    if found:
        print(textwrap.fill(name + ' ' + ' '.join(found), 118, subsequent_indent='  ', break_on_hyphens=False))
