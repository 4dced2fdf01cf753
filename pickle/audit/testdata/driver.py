# Loads pickles in sandboxed processes and says what Python did: the oracle of the audit's tests.
#
# It reads from standard input: a JSON line with the names of modules that pickles name, which are imported before if that is
# quick, then for each pickle its length in eight bytes and the pickle. For each it forks a process with limits, in an empty folder, in which Python's audit hooks
# stop whatever could do harm before it happens, loads the pickle in several ways, and prints a JSON line:
#
#   names   what Unpickler.find_class was asked for, in order, each once
#   events  what the pickle made Python do besides making data: audit events, calls of the module canary, writes to memory
#   crash   the number of the signal that ended the process, or 0
#   timeout whether it was ended for taking too long
#   loaded  in how many ways it was loaded without an error
import sys, os, io, json, pickle, signal, types, warnings, gc

# Modules of the audit's table.
KNOWN = ['_codecs', 'array', 'builtins', 'collections', 'copyreg', 'datetime', 'decimal', 'fractions', 'uuid', 'numpy',
    'numpy.char', 'numpy.rec', 'numpy.ma', 'numpy.ma.core', 'numpy.matrixlib.defmatrix'] + [
    core + name for core in ('numpy.core', 'numpy._core')
    for name in ('', '.multiarray', '._internal', '.numeric', '.memmap', '.records', '.defchararray')]

# Events of which nothing follows. Every other one is reported, and raises an error before it happens.
HARMLESS = {'pickle.find_class', 'builtins.id', 'array.__new__', 'sys._getframe', 'sys.setprofile', 'sys.unraisablehook'}

# Modules whose functions in Python run to make data: those of the table, and what they use themselves.
CODE = ('_collections_abc', '_py_abc', '_weakrefset', 'abc', 'codecs', 'collections', 'contextlib', 'copyreg', 'datetime', 'decimal', 'encodings',
    'enum', 'fractions', 'functools', 'numbers', 'operator', 're', 'sre_compile', 'sre_parse', 'types', 'typing', 'uuid', 'warnings', 'weakref',
    'numpy._core', 'numpy.core', 'numpy.ma', 'numpy.matrixlib', '__main__')

WAYS = [
    lambda data, f: pickle.loads(data),
    lambda data, f: pickle.load(f, encoding='latin1'),
    lambda data, f: pickle.load(io.BytesIO(data), encoding='bytes'),
    lambda data, f: pickle._Unpickler(f).load(), # the one in Python
]

# Functions of the unpickler in Python, besides those for each opcode.
UNPICKLER = {'__init__', 'load', 'read', 'readline', 'readinto', 'find_class', '_getattribute', 'pop_mark', '_instantiate',
    'get_extension', 'decode_long', '_decode_string', 'persistent_load', '<dictcomp>'}

armed = False
names, events = [], []


class Stopped(BaseException):
    pass


def stop(event):
    global armed
    if len(events) < 20:
        events.append(event)
    raise Stopped(event)


def hook(event, args):
    if not armed:
        return
    if event == 'pickle.find_class':
        name = '%s %s' % args # Python 2's, where the pickle has them
        if name not in names:
            names.append(name)
    elif event == 'import' and args[0] in EXPECTED:
        raise ModuleNotFoundError(args[0])
    elif event not in HARMLESS:
        stop('%s %.60r' % (event, args))


def profile(frame, event, arg):
    """Reports functions in Python that run and are in none of the modules that make data."""
    global armed
    if not armed or event != 'call':
        return
    armed = False # to look at a frame is an event, too
    module, function = str(frame.f_globals.get('__name__')), frame.f_code.co_name
    reader = module == 'pickle' and (function in UNPICKLER or function.startswith('load_'))
    armed = True
    if reader:
        return
    if module.startswith('numpy') and function == '__getattr__' or module.startswith('importlib.'): # names that are not there; imports are events
        return
    if not any(module == m or module.startswith(m + '.') for m in CODE):
        stop('code %s.%s' % (module, function))


def trap(name):
    """A method that reports its call, and is harmless when nothing is loaded."""
    def method(*args, **kwargs):
        if armed:
            stop('canary ' + name)
        return NotImplemented
    return method


def make_canary():
    """Makes the module canary: functions, classes and objects that report whatever is done with them."""
    special = '''__add__ __and__ __array__ __array_finalize__ __array_function__ __array_prepare__ __array_ufunc__ __array_wrap__
        __bool__ __buffer__ __bytes__ __call__ __ceil__ __complex__ __contains__ __copy__ __deepcopy__ __del__ __delattr__
        __delete__ __delitem__ __dir__ __enter__ __eq__ __exit__ __float__ __floor__ __format__ __fspath__ __ge__
        __getattr__ __getitem__ __getnewargs__ __getstate__ __gt__ __hash__ __iadd__ __index__ __init__
        __init_subclass__ __instancecheck__ __int__ __invert__ __ior__ __iter__ __le__ __len__ __lt__ __missing__ __mro_entries__
        __mul__ __ne__ __neg__ __next__ __or__ __pos__ __pow__ __prepare__ __radd__ __reduce__ __reduce_ex__ __repr__
        __reversed__ __round__ __set__ __set_name__ __setattr__ __setitem__ __setstate__ __sizeof__ __str__
        __sub__ __subclasscheck__ __subclasshook__ __truediv__ __trunc__ add append extend keys items update read readline
        readinto peek utcoffset tzname dst as_integer_ratio'''.split()
    body = {name: trap(name) for name in special}
    for name in '__array_interface__', '__array_struct__', '__array_priority__', 'dtype', 'shape', 'fields', 'names', '_type_', '_fields_':
        body[name] = property(trap(name))

    def attribute(self, name):
        if armed:
            stop('canary attribute ' + name)
        return object.__getattribute__(self, name)
    body['__getattribute__'] = attribute
    canary = types.ModuleType('canary')

    class Meta(type):
        pass
    for name, value in body.items():
        if name not in ('__getattribute__', '__setattr__', '__init__', '__del__', '__set_name__', '__init_subclass__', '__prepare__', '__mro_entries__', '__dir__', '__sizeof__'):
            setattr(Meta, name, value)
    Meta.__getattribute__ = lambda cls, name: stop('canary class attribute ' + name) if armed else type.__getattribute__(cls, name)
    canary.Class = Meta('Class', (), dict(body, __new__=trap('__new__')))
    canary.Plain = type('Plain', (), dict(body, __new__=trap('__new__')))
    canary.obj = object.__new__(type('Obj', (), body))
    canary.function = trap('function')
    canary.List = type('List', (list,), {k: v for k, v in body.items() if k != '__getattribute__'})
    for base in 'Exception', 'dict', 'tuple', 'int', 'str':
        base = __builtins__[base] if isinstance(__builtins__, dict) else getattr(__builtins__, base)
        setattr(canary, 'Sub' + base.__name__, type('Sub' + base.__name__, (base,), {k: v for k, v in body.items() if k not in ('__getattribute__', '__delattr__', '__setattr__')}))
    if np is not None:
        canary.Array = type('Array', (np.ndarray,), {k: v for k, v in body.items() if k in ('__array_finalize__', '__setstate__', '__setitem__', '__new__', '__init__', '__reduce__')})
    sys.modules['canary'] = canary


def touch(value, seen, depth=0):
    """Uses what was loaded, so that memory that is not its own shows by a crash or by what is in it."""
    if depth > 20 or id(value) in seen:
        return
    seen[id(value)] = value
    t = type(value)
    if np is not None and isinstance(value, np.ndarray) and t.__module__ != 'canary':
        start = value.__array_interface__['data'][0]
        if ADDRESS <= start < ADDRESS + len(TARGET):
            events.append('an array over memory that is not its own')
        if value.nbytes > 1 << 24:
            return
        if value.dtype.hasobject:
            for v in [value.tolist()] if value.dtype.names else value.ravel().tolist():
                touch(v, seen, depth + 1)
            value.copy()
        else:
            value.tobytes(), value.tolist()
        if t is np.ma.MaskedArray:
            value.filled(), value.mask.tolist()
    elif np is not None and isinstance(value, np.dtype):
        str(value), value.isnative, np.zeros(1, value) if value.itemsize < 1 << 20 else None
    elif np is not None and isinstance(value, np.generic):
        repr(value), value.tobytes(), touch(value.tolist(), seen, depth + 1)
    elif t in (list, tuple, set, frozenset, collections.deque):
        for v in list(value):
            touch(v, seen, depth + 1)
    elif t in (dict, collections.OrderedDict, collections.Counter, collections.defaultdict):
        for k, v in list(value.items()):
            touch(k, seen, depth + 1), touch(v, seen, depth + 1)
    elif isinstance(value, BaseException) and t.__module__ == 'builtins':
        for v in value.args:
            touch(v, seen, depth + 1)
    elif t.__module__ in ('datetime', 'decimal', 'fractions', 'uuid', 'array', 'builtins') and t is not type:
        repr(value)


def load(data, path):
    """Loads a pickle in every way, and returns what happened. It runs in a process of its own."""
    global armed
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    loaded = 0
    for way in WAYS:
        with open(path, 'rb') as f:
            value = None
            sys.setprofile(profile)
            armed = True
            try:
                value = way(data, f)
                armed = False
                loaded += 1
                touch(value, {})
            except BaseException:
                armed = False
            del value
            gc.collect()
    if any(TARGET):
        events.append('memory was written to')
    return {'names': names, 'events': events, 'loaded': loaded}


def each(data, path):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(r)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in 0, 1, 2:
            os.dup2(null, fd)
        signal.alarm(5)
        try:
            out = json.dumps(load(data, path)).encode()
        except BaseException as e:
            out = json.dumps({'names': names, 'events': events + ['driver: %r' % e], 'loaded': 0}).encode()
        while out:
            out = out[os.write(w, out):]
        os._exit(0)
    os.close(w)
    with os.fdopen(r, 'rb') as f:
        text = f.read()
    _, status = os.waitpid(pid, 0)
    sig = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    result = json.loads(text) if text else {'names': [], 'events': [], 'loaded': 0}
    result['timeout'] = sig in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)
    result['crash'] = 0 if result['timeout'] else sig
    if os.listdir('.') != [os.path.basename(path)]:
        result['events'].append('files: %r' % os.listdir('.'))
        for name in os.listdir('.'):
            if name != os.path.basename(path):
                os.remove(name)
    return result


# What a pickle may have for the address of TARGET.
PLACE = (0x1122334455667788).to_bytes(8, 'little')

if __name__ == '__main__':
    import collections, ctypes, importlib, resource, tempfile
    warnings.simplefilter('ignore')
    try:
        import numpy as np
    except ImportError:
        np = None
    EXPECTED = KNOWN + json.loads(sys.stdin.buffer.readline()) # to look for one that is not there is no event
    for module in EXPECTED:
        try:
            if module.split('.')[0] not in ('pandas', 'scipy', 'pip', 'ensurepip'):
                importlib.import_module(module)
        except BaseException:
            pass
    import encodings.latin_1, encodings.ascii, encodings.utf_8, encodings.raw_unicode_escape, encodings.aliases, pickletools
    make_canary()
    TARGET = bytearray(4096)
    ADDRESS = ctypes.addressof(ctypes.c_char.from_buffer(TARGET))
    if np is not None: # what NumPy imports when it is first needed
        warm = [np.ma.array([1], mask=[1]), np.rec.array([(1, 'a')]), np.zeros(1, [('a', 'O'), ('b', 'f4', 2)]), np.datetime64('2020'), np.array(['a'], 'U1').view(np.char.chararray)]
        for v in warm:
            for protocol in range(6 if sys.version_info >= (3, 8) else 5):
                touch(pickle.loads(pickle.dumps(v, protocol)), {})
            repr(v)
    gc.collect()
    gc.freeze() # what is there by now need not be looked at in each process again
    sys.addaudithook(hook)
    stdin = sys.stdin.buffer
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    path = os.path.join(folder, 'x.pkl')
    while True:
        size = stdin.read(8)
        if not size:
            break
        data = stdin.read(int.from_bytes(size, 'big')).replace(PLACE, ADDRESS.to_bytes(8, 'little'))
        with open(path, 'wb') as f:
            f.write(data)
        print(json.dumps(each(data, path)), flush=True)
    os.remove(path)
    os.chdir('/')
    os.rmdir(folder)
