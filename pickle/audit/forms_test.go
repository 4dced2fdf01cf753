package audit

import (
	"slices"
	"strings"
)

// dangerous are globals that pickles have called in attacks, or that an attack could use: they run code, open files and
// sockets, import modules, write to memory, or lead to such functions. The driver makes the module canary.
var dangerous = strings.Fields(`
	canary.Class canary.Plain canary.obj canary.function canary.List canary.SubException canary.Subdict canary.Subtuple
	canary.Subint canary.Substr canary.Array
	os.system posix.system os.popen os.execv os.execve os.spawnv os.posix_spawn os.remove os.unlink os.rename os.rmdir os.mkdir
	os.open os.listdir os.putenv os.kill os.fork os.chmod os.truncate os.symlink os.environ os.startfile posix.open
	subprocess.Popen subprocess.call subprocess.run subprocess.check_output subprocess.getoutput pty.spawn commands.getoutput
	builtins.eval builtins.exec builtins.compile builtins.open builtins.__import__ builtins.getattr builtins.setattr
	builtins.delattr builtins.globals builtins.vars builtins.input builtins.breakpoint builtins.memoryview builtins.type
	builtins.super builtins.property builtins.map builtins.filter builtins.iter builtins.next builtins.apply builtins.print
	builtins.sorted builtins.max builtins.sum builtins.any builtins.hash builtins.repr builtins.format builtins.isinstance
	builtins.classmethod builtins.staticmethod builtins.callable builtins.dir builtins.zip builtins.enumerate builtins.reversed
	builtins.ExceptionGroup builtins.__build_class__ builtins.__loader__ builtins.__spec__ builtins.license builtins.help builtins.exit
	io.open io.FileIO _io.open _io.FileIO io.open_code codecs.open codecs.lookup codecs.encode codecs.register tokenize.open
	fileinput.FileInput linecache.getlines glob.glob shutil.rmtree shutil.copyfile shutil.move tempfile.mktemp tempfile.NamedTemporaryFile
	pathlib.Path pathlib.PosixPath zipfile.ZipFile tarfile.open gzip.GzipFile bz2.BZ2File lzma.LZMAFile logging.FileHandler
	importlib.import_module importlib.reload importlib._bootstrap._exec runpy._run_code runpy.run_path runpy.run_module imp.load_source
	pkgutil.get_data pkgutil.resolve_name zipimport.zipimporter sys.modules sys.path sys.settrace sys.setprofile sys.intern
	sys.addaudithook code.interact code.InteractiveInterpreter codeop.compile_command pdb.run pdb.set_trace bdb.Bdb
	cProfile.run profile.run timeit.timeit trace.Trace doctest.debug_script types.FunctionType types.CodeType types.MethodType types.new_class types.SimpleNamespace
	functools.partial functools.reduce functools.cmp_to_key functools.lru_cache functools.singledispatch operator.attrgetter operator.itemgetter operator.methodcaller
	operator.call operator.setitem operator.getitem operator.iadd operator.add itertools.starmap itertools.accumulate itertools.groupby itertools.chain
	collections.namedtuple collections.UserDict collections.ChainMap dataclasses.make_dataclass enum.Enum enum.EnumMeta typing.NamedTuple abc.ABCMeta
	copyreg.__newobj__ copyreg.__newobj_ex__ copyreg._reduce_ex copyreg.add_extension copyreg.pickle copyreg.constructor copyreg.dispatch_table
	pickle.loads pickle._loads pickle.load pickle.Unpickler _pickle.loads marshal.loads shelve.open dbm.open copy.copy copy.deepcopy
	ctypes.CDLL ctypes.cast ctypes.memmove ctypes.string_at ctypes.CFUNCTYPE ctypes.c_char_p ctypes.py_object mmap.mmap socket.socket socket.create_connection
	ssl.wrap_socket urllib.request.urlopen http.client.HTTPConnection ftplib.FTP smtplib.SMTP webbrowser.open xmlrpc.client.ServerProxy
	asyncio.run threading.Thread multiprocessing.Process concurrent.futures.ThreadPoolExecutor signal.signal atexit.register weakref.finalize weakref.ref gc.get_objects
	sqlite3.connect re.compile string.Formatter inspect.getsource ast.literal_eval ast.parse site.addsitedir venv.create ensurepip._run_pip pip.main sysconfig._init_posix
	contextlib.ExitStack unittest.mock.Mock unittest.TestCase warnings.warn traceback.print_exc platform.popen uuid._load_system_functions uuid.getnode uuid.uuid1
	zoneinfo.ZoneInfo datetime.tzinfo decimal.Context decimal.setcontext fractions.Fraction.from_float array.array.fromfile
	numpy.load numpy.save numpy.savez numpy.fromfile numpy.loadtxt numpy.genfromtxt numpy.savetxt numpy.frompyfunc numpy.vectorize numpy.fromiter
	numpy.apply_along_axis numpy.piecewise numpy.frombuffer numpy.array numpy.asarray numpy.copyto numpy.put numpy.nditer numpy.ufunc numpy.object_
	numpy.generic numpy.DataSource numpy.memmap.flush numpy.ndarray.tofile numpy.poly1d numpy.r_ numpy.errstate numpy.seterrcall
	numpy.lib.format.open_memmap numpy.lib.format.read_array numpy.lib.npyio.load numpy.lib.npyio.NpzFile numpy.lib.npyio.DataSource numpy.lib._npyio_impl.load
	numpy.lib._datasource.open numpy.lib.utils.safe_eval numpy.lib.stride_tricks.as_strided numpy.lib.stride_tricks.DummyArray
	numpy.f2py.compile numpy.f2py.crackfortran.myeval numpy.f2py.diagnose.run_command numpy.testing._private.utils.runstring
	numpy.testing.runstring numpy.testing._private.utils.rundocs numpy.testing.measure numpy.ctypeslib.load_library numpy.ctypeslib.as_array numpy.ctypeslib.ndpointer
	numpy.distutils.exec_command.exec_command numpy.core.multiarray.set_string_function numpy.core.multiarray.fromfile numpy.core.multiarray.array
	numpy.core.multiarray.add_docstring numpy.core._multiarray_umath.frombuffer numpy.core.function_base.add_newdoc numpy.core._internal._ctypes numpy.core._methods._dump
	numpy.core.records.fromfile numpy.core.defchararray.array numpy._core.records.fromfile numpy._core._internal._dtype_from_pep3118 numpy.core._internal._dtype_from_pep3118
	numpy.ma.core.MaskedConstant numpy.ma.core._MaskedUnaryOperation numpy.ma.core.fromfile numpy.ma.mrecords.fromtextfile numpy.ma.mrecords._mrreconstruct numpy.matlib.rand
	numpy.random._pickle.__generator_ctor numpy.random._pickle.__randomstate_ctor numpy.random._pickle.__bit_generator_ctor numpy.random.mtrand.RandomState numpy.random.Generator
	numpy.linalg.linalg.LinAlgError numpy.rec.fromfile numpy.char.array numpy.core numpy.os numpy.sys numpy.__builtins__ numpy.compat.py3k.npy_load_module
	pandas.io.pickle.read_pickle pandas.read_pickle pandas.eval pandas.core.frame.DataFrame pandas.core.computation.eval.eval pandas._libs.internals._unpickle_block
	pandas._libs.arrays.__pyx_unpickle_NDArrayBacked pandas.core.indexes.base._new_Index pandas.compat.pickle_compat.load
	scipy.io.loadmat scipy.io.netcdf_file scipy.sparse.load_npz scipy.optimize.minimize scipy.interpolate.interp1d scipy.sparse._csr.csr_matrix
`)

// dotted are names that protocol 4 looks up through attributes.
var dotted = []string{
	"numpy.core._internal.sys", "numpy\x00sys.modules", "numpy\x00core.multiarray.sys.modules", "numpy.core.multiarray\x00_reconstruct.__self__",
	"numpy.core.multiarray\x00_reconstruct.__class__", "builtins\x00list.__class__", "builtins\x00Exception.__init_subclass__", "builtins\x00object.__subclasses__",
	"copyreg\x00_reconstructor.__globals__", "copyreg\x00_reconstructor.__code__", "datetime\x00datetime.now", "datetime\x00datetime.strptime", "collections\x00OrderedDict.fromkeys",
	"uuid\x00os.system", "fractions\x00sys.modules", "numpy\x00dtype.__class__", "numpy\x00ndarray.tofile", "numpy\x00memmap.__new__", "numpy\x00float64.__reduce__", "canary\x00obj.method", "ctypes\x00cdll./victim", "ctypes\x00pythonapi.Py_Exit",
}

// A form is a way for a pickle to use the global x.
type form struct {
	name string
	make func(x *node) *node
}

// forms call x, pass it to known functions, and pass it on in disguise.
var forms = []form{
	// Calls.
	{"REDUCE", func(x *node) *node { return call(x, str("victim")) }},
	{"REDUCE without arguments", func(x *node) *node { return call(x) }},
	{"OBJ", func(x *node) *node { return around("(", "o", x, str("victim")) }},
	{"OBJ without arguments", func(x *node) *node { return around("(", "o", x) }},
	{"NEWOBJ", func(x *node) *node { return around("", "\x81", x, tup(str("victim"))) }},
	{"NEWOBJ_EX", func(x *node) *node { return around("", "\x92", x, tup(str("victim")), dct()) }},
	{"REDUCE of the second of two that are shared", func(x *node) *node { return tup(x, lst(x), call(x, x)) }},
	{"REDUCE with arguments that a call made", func(x *node) *node { return around("", "R", x, call(named("builtins.tuple"), lst(str("victim")))) }},
	{"a call after POP and DUP", func(x *node) *node { return around("N2", "R", around("0(0", "", x), tup(str("victim"))) }},

	// Changes.
	{"BUILD", func(x *node) *node { return build(x, dct(str("a"), num(1))) }},
	{"BUILD with slots", func(x *node) *node { return build(x, tup(none(), dct(str("a"), num(1)))) }},
	{"APPEND", func(x *node) *node { return fill(x, "a", num(1)) }},
	{"SETITEM", func(x *node) *node { return fill(x, "s", str("a"), num(1)) }},
	{"ADDITEMS", func(x *node) *node { return around("", "\x90", x, leaf("("), num(1)) }},
	{"a known class given it", func(x *node) *node { return build(named("numpy.ndarray"), tup(none(), dct(str("__reduce__"), x))) }},
	{"a known function given it", func(x *node) *node {
		return build(named("copyreg._reconstructor"), tup(none(), dct(str("__code__"), x)))
	}},
	{"an exception given it for a method", func(x *node) *node {
		e := build(call(named("builtins.Exception")), dct(str("append"), x))
		return fill(e, "a", str("victim"))
	}},
	{"an exception given it for __setstate__", func(x *node) *node {
		return build(build(call(named("builtins.Exception")), dct(str("__setstate__"), x)), dct(str("a"), num(1)))
	}},
	{"an exception given it for __class__", func(x *node) *node { return build(call(named("builtins.Exception")), dct(str("__class__"), x)) }},
	{"an OrderedDict given it for a method", func(x *node) *node {
		return fill(build(call(named("collections.OrderedDict")), dct(str("append"), x)), "a", str("victim"))
	}},
	{"an OrderedDict given it for __setstate__", func(x *node) *node {
		return build(build(call(named("collections.OrderedDict")), dct(str("__setstate__"), x)), str("victim"))
	}},
	{"a deque given it", func(x *node) *node { return build(call(named("collections.deque")), dct(str("extend"), x)) }},
	{"a Fraction given it", func(x *node) *node {
		return build(call(named("fractions.Fraction"), num(1)), dct(str("_numerator"), x))
	}},
	{"a UUID given it", func(x *node) *node { return build(around("", "\x81", named("uuid.UUID"), tup()), dct(str("int"), x)) }},
	{"a UUID given it for is_safe", func(x *node) *node {
		return build(around("", "\x81", named("uuid.UUID"), tup()), dct(str("int"), num(1), str("is_safe"), x))
	}},

	// Operations that take hashes.
	{"a key", func(x *node) *node { return fill(dct(), "s", x, num(1)) }},
	{"a key in a tuple", func(x *node) *node { return fill(dct(), "s", tup(num(1), tup(x)), num(1)) }},
	{"a key of DICT", func(x *node) *node { return around("(", "d", x, num(1)) }},
	{"an element", func(x *node) *node { return around("\x8f(", "\x90", x, num(1)) }},
	{"an element of FROZENSET", func(x *node) *node { return around("(", "\x91", x, num(1)) }},
	{"a key of an OrderedDict", func(x *node) *node { return fill(call(named("collections.OrderedDict")), "s", x, num(1)) }},
	{"a pair of an OrderedDict", func(x *node) *node { return call(named("collections.OrderedDict"), lst(tup(x, num(1)))) }},
	{"an element of set()", func(x *node) *node { return call(named("builtins.set"), lst(x)) }},

	// Functions of Python.
	{"_reconstructor of object", func(x *node) *node { return call(named("copyreg._reconstructor"), x, named("builtins.object"), none()) }},
	{"_reconstructor of itself", func(x *node) *node { return call(named("copyreg._reconstructor"), x, x, str("victim")) }},
	{"_reconstructor of dict", func(x *node) *node { return call(named("copyreg._reconstructor"), x, named("builtins.dict"), dct()) }},
	{"_reconstructor with a base", func(x *node) *node { return call(named("copyreg._reconstructor"), named("uuid.UUID"), x, none()) }},
	{"_reconstructor with a state", func(x *node) *node {
		return call(named("copyreg._reconstructor"), named("builtins.list"), named("builtins.list"), x)
	}},
	{"a factory", func(x *node) *node { return fill(call(named("collections.defaultdict"), x), "s", num(1), num(2)) }},
	{"Counter", func(x *node) *node { return call(named("collections.Counter"), x) }},
	{"a value that Counter copies", func(x *node) *node { return call(named("collections.Counter"), dct(num(1), x)) }},
	{"deque", func(x *node) *node { return call(named("collections.deque"), x) }},
	{"the length of a deque", func(x *node) *node { return call(named("collections.deque"), tup(), x) }},
	{"OrderedDict", func(x *node) *node { return call(named("collections.OrderedDict"), x) }},
	{"an encoding", func(x *node) *node { return call(named("_codecs.encode"), str("a"), x) }},
	{"encode", func(x *node) *node { return call(named("_codecs.encode"), x, str("latin1")) }},
	{"a tzinfo", func(x *node) *node {
		return call(named("datetime.datetime"), byt("\x07\xe4\x01\x02\x03\x04\x05\x00\x00\x01"), x)
	}},
	{"a tzinfo that a call made", func(x *node) *node { return call(named("datetime.time"), byt("\x03\x04\x05\x00\x00\x01"), call(x)) }},
	{"timezone", func(x *node) *node { return call(named("datetime.timezone"), x) }},
	{"timedelta", func(x *node) *node { return call(named("datetime.timedelta"), x) }},
	{"date", func(x *node) *node { return call(named("datetime.date"), num(2000), x, num(1)) }},
	{"OSError", func(x *node) *node { return call(named("builtins.OSError"), x, str("a")) }},
	{"BlockingIOError", func(x *node) *node { return call(named("builtins.BlockingIOError"), num(1), str("a"), x) }},
	{"SyntaxError", func(x *node) *node { return call(named("builtins.SyntaxError"), str("a"), x) }},
	{"UnicodeDecodeError", func(x *node) *node {
		return call(named("builtins.UnicodeDecodeError"), str("a"), x, num(0), num(1), str("b"))
	}},
	{"UnicodeDecodeError's place", func(x *node) *node {
		return call(named("builtins.UnicodeDecodeError"), str("a"), byt("b"), x, num(1), str("b"))
	}},
	{"the args of an exception", func(x *node) *node { return build(call(named("builtins.ImportError")), dct(str("args"), x)) }},
	{"array.array", func(x *node) *node { return call(named("array.array"), str("d"), x) }},
	{"a number of array.array", func(x *node) *node { return call(named("array.array"), str("d"), lst(x)) }},
	{"_array_reconstructor", func(x *node) *node {
		return call(named("array._array_reconstructor"), x, str("d"), num(16), byt("12345678"))
	}},
	{"slice", func(x *node) *node { return call(named("builtins.slice"), x, none(), none()) }},
	{"SafeUUID", func(x *node) *node { return call(named("uuid.SafeUUID"), x) }},
	{"SafeUUID with bases", func(x *node) *node { return call(named("uuid.SafeUUID"), str("Name"), str("a b"), x) }},

	// Functions of NumPy.
	{"the class of an array", func(x *node) *node {
		return state(call(named(core+".multiarray._reconstruct"), x, shape(0), byt("b")), num(1), shape(1), float64s(), no(), byt("12345678"))
	}},
	{"the shape of an array", func(x *node) *node {
		return call(named(core+".multiarray._reconstruct"), named("numpy.ndarray"), x, byt("b"))
	}},
	{"the type code of an array", func(x *node) *node {
		return call(named(core+".multiarray._reconstruct"), named("numpy.ndarray"), shape(0), x)
	}},
	{"the state of an array", func(x *node) *node { return build(emptyArray("numpy.ndarray"), x) }},
	{"a dimension", func(x *node) *node { return arrayOf(tup(x), float64s(), byt("12345678")) }},
	{"the order of an array", func(x *node) *node {
		return state(emptyArray("numpy.ndarray"), num(1), shape(1), float64s(), x, byt("12345678"))
	}},
	{"the data of an array", func(x *node) *node { return arrayOf(shape(1), float64s(), x) }},
	{"the dtype of an array", func(x *node) *node { return arrayOf(shape(1), x, byt("12345678")) }},
	{"an item of an array", func(x *node) *node { return fill(emptyArray("numpy.ndarray"), "s", num(0), x) }},
	{"what memmap is made of by a state", func(x *node) *node {
		return fill(state(emptyArray("numpy.memmap"), num(1), shape(1), float64s(), no(), byt("12345678")), "s", num(0), x)
	}},
	{"a number of a struct with objects", func(x *node) *node {
		return arrayOf(shape(1), structOf(str("V16"), 16, 27, field(objects(), 0), field(float64s(), 8)), lst(tup(none(), x)))
	}},
	{"a text of a struct with objects", func(x *node) *node {
		return arrayOf(shape(1), structOf(str("V12"), 12, 27, field(objects(), 0), field(dtypeOf("U1", "<", 4, 4, 8), 8)), lst(tup(none(), x)))
	}},
	{"an element of a struct with objects", func(x *node) *node {
		return arrayOf(shape(1), structOf(str("V8"), 8, 27, field(objects(), 0)), lst(x))
	}},
	{"a subarray of a struct with objects", func(x *node) *node {
		sub := state(call(named("numpy.dtype"), str("V16"), no(), yes()), num(3), str("|"), tup(float64s(), shape(2)), none(), none(), num(16), num(8), num(0))
		return arrayOf(shape(1), structOf(str("V24"), 24, 27, field(objects(), 0), field(sub, 8)), lst(tup(none(), x)))
	}},
	{"an object array in a subarray of numbers", func(x *node) *node {
		sub := state(call(named("numpy.dtype"), str("V16"), no(), yes()), num(3), str("|"), tup(float64s(), shape(2)), none(), none(), num(16), num(8), num(0))
		return arrayOf(shape(1), structOf(str("V24"), 24, 27, field(objects(), 0), field(sub, 8)), lst(tup(none(), arrayOf(shape(2), objects(), lst(x, x)))))
	}},
	{"the dtype of a scalar", func(x *node) *node { return scalarOf(x, byt("12345678")) }},
	{"the data of a scalar", func(x *node) *node { return scalarOf(float64s(), x) }},
	{"scalar of an object, called", func(x *node) *node { return call(scalarOf(objects(), x), str("victim")) }},
	{"scalar of an object, given items", func(x *node) *node {
		return fill(scalarOf(call(named("numpy.dtype"), str("O"), no(), yes()), x), "a", str("victim"))
	}},
	{"scalar of a struct with an object", func(x *node) *node { return scalarOf(structOf(str("V8"), 8, 27, field(objects(), 0)), x) }},
	{"dtype", func(x *node) *node { return call(named("numpy.dtype"), x, no(), yes()) }},
	{"dtype that copies", func(x *node) *node { return call(named("numpy.dtype"), str("f8"), no(), x) }},
	{"the state of a dtype", func(x *node) *node { return build(call(named("numpy.dtype"), str("f8"), no(), yes()), x) }},
	{"the names of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), x, dct(), num(8), num(1), num(0))
	}},
	{"the fields of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), tup(str("a")), x, num(8), num(1), num(0))
	}},
	{"a field of a dtype", func(x *node) *node { return structOf(str("V8"), 8, 0, x) }},
	{"the type of a field", func(x *node) *node { return structOf(str("V8"), 8, 0, tup(x, num(0))) }},
	{"the title of a field", func(x *node) *node { return structOf(str("V8"), 8, 0, tup(float64s(), num(0), x)) }},
	{"the base of a subarray", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), tup(x, shape(1)), none(), none(), num(8), num(8), num(0))
	}},
	{"the size of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("V8"), no(), yes()), num(3), str("|"), none(), none(), none(), x, num(1), num(0))
	}},
	{"the size of a number", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), num(3), str("<"), none(), none(), none(), x, num(-1), num(0))
	}},
	{"the alignment of a number", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), num(3), str("<"), none(), none(), none(), num(-1), x, num(0))
	}},
	{"the flags of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), num(3), str("<"), none(), none(), none(), num(-1), num(-1), x)
	}},
	{"the version of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), x, str("<"), none(), none(), none(), num(-1), num(-1), num(0))
	}},
	{"the version of an array", func(x *node) *node {
		return state(emptyArray("numpy.ndarray"), x, shape(1), float64s(), no(), byt("12345678"))
	}},
	{"the version of a masked array", func(x *node) *node {
		empty := call(named("numpy.ma.core._mareconstruct"), named("numpy.ma.MaskedArray"), named("numpy.ndarray"), shape(0), byt("b"))
		return state(empty, x, shape(2), float64s(), no(), byt(strings.Repeat("1", 16)), byt("\x00\x01"), none())
	}},
	{"the metadata of a dtype", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("f8"), no(), yes()), num(4), str("<"), none(), none(), none(), num(-1), num(-1), num(0), x)
	}},
	{"the unit of a time", func(x *node) *node {
		return state(call(named("numpy.dtype"), str("M8"), no(), yes()), num(4), str("<"), none(), none(), none(), num(-1), num(-1), num(0), tup(none(), tup(x, num(1), num(1), num(1))))
	}},
	{"_frombuffer", func(x *node) *node {
		return call(named(core+".numeric._frombuffer"), x, float64s(), shape(1), str("C"))
	}},
	{"the dtype of _frombuffer", func(x *node) *node {
		return call(named(core+".numeric._frombuffer"), byt("12345678"), x, shape(1), str("C"))
	}},
	{"the shape of _frombuffer", func(x *node) *node {
		return call(named(core+".numeric._frombuffer"), byt("12345678"), float64s(), x, str("C"))
	}},
	{"the axes of _frombuffer", func(x *node) *node {
		return call(named(core+".numeric._frombuffer"), byt("12345678"), float64s(), shape(1), str("K"), x)
	}},
	{"the class of a masked array", func(x *node) *node {
		return call(named("numpy.ma.core._mareconstruct"), x, named("numpy.ndarray"), shape(0), byt("b"))
	}},
	{"the base class of a masked array", func(x *node) *node {
		return call(named("numpy.ma.core._mareconstruct"), named("numpy.ma.MaskedArray"), x, shape(0), byt("b"))
	}},
	{"the fill value", func(x *node) *node { return maskedOf(float64s(), byt(strings.Repeat("1", 16)), byt("\x00\x01"), x) }},
	{"an object in the fill value", func(x *node) *node {
		return maskedOf(float64s(), byt(strings.Repeat("1", 16)), byt("\x00\x01"), arrayOf(shape(), objects(), lst(x)))
	}},
	{"the mask", func(x *node) *node { return maskedOf(float64s(), byt(strings.Repeat("1", 16)), x, none()) }},
	{"what stands for missing strings", func(x *node) *node {
		return call(named("numpy._core._internal._convert_to_stringdtype_kwargs"), num(1), x)
	}},
	{"an element of a StringDType", func(x *node) *node {
		return arrayOf(shape(1), call(named("numpy._core._internal._convert_to_stringdtype_kwargs"), num(1)), lst(x))
	}},

	// The pickle itself does nothing with it.
	{"named only", func(x *node) *node { return x }},
	{"in a list", func(x *node) *node { return lst(x, num(1)) }},
	{"in an array of objects", func(x *node) *node { return arrayOf(shape(2), objects(), lst(x, lst(x))) }},
	{"in the object of a struct", func(x *node) *node {
		return arrayOf(shape(1), structOf(str("V8"), 8, 27, field(objects(), 0)), lst(tup(x)))
	}},
	{"a value of a dict", func(x *node) *node { return dct(str("a"), x) }},
	{"an argument of an exception", func(x *node) *node { return call(named("builtins.ValueError"), x) }},
	{"in a deque", func(x *node) *node { return fill(call(named("collections.deque"), tup()), "a", x) }},
	{"computed", func(x *node) *node {
		return call(around("", "\x93", call(named("builtins.str"), str("os")), str("system")), x)
	}},
	{"under a name of Python 2", func(x *node) *node { return tup(x, around("", "\x93", leaf("U\x06canary"), str("obj"))) }},
	{"persistent", func(x *node) *node { return tup(around("", "Q", x), x) }},
	{"an extension", func(x *node) *node { return tup(leaf("\x82\x01"), leaf("\x84\x01\x00\x00\x00"), x) }},
}

// allForms returns the forms, and for each simple conversion a form that passes x to it.
func allForms() []form {
	all := append(slices.Clone(forms), disguises...)
	for _, name := range []string{"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "range", "set", "str", "tuple"} {
		all = append(all, form{name, func(x *node) *node { return call(named("builtins."+name), x) }})
	}
	for _, name := range []string{"float64", "int64", "str_", "bytes_", "datetime64", "timedelta64", "void", "bool_", "complex128", "uint64", "longdouble"} {
		all = append(all, form{"numpy." + name, func(x *node) *node { return call(named("numpy."+name), x) }})
	}
	for _, name := range []string{"decimal.Decimal", "fractions.Fraction", "uuid.UUID"} {
		all = append(all, form{name, func(x *node) *node { return call(named(name), x) }})
	}
	return all
}
