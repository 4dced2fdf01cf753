package pickle

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// global prints a class or a function as Python does if its kind is known, else the bare name.
func (r *repr) global(g *Global) {
	switch {
	case r.enumGlobal(g), r.enumClass(g):
	case g.Is("typing", "Any"):
		r.text("typing.Any")
	case g.isBuiltinFunction():
		r.text("<built-in function ")
		r.name(g.Name)
		r.text(">")
	case g.Module == "builtins":
		r.text("<class '")
		r.name(g.Name)
		r.text("'>")
	case g.isClass():
		r.text("<class '")
		r.qualified(g)
		r.text("'>")
	default:
		r.qualified(g)
	}
}

// isBuiltinFunction reports whether the name is known as a function made in C.
func (g *Global) isBuiltinFunction() bool {
	switch g.Module {
	case "builtins":
		return slices.Contains(builtinFunctions, g.Name)
	case "functools":
		return g.Name == "reduce"
	}
	return slices.Contains(functionModules, g.Module) && !g.isClass()
}

// functionModules are modules made in C. Their names in lower case are functions, except for lowerClasses.
var functionModules = []string{
	"_bisect", "_codecs", "_collections", "_functools", "_hashlib", "_heapq", "_locale", "_md5", "_opcode", "_operator", "_random", "_sha1", "_sha2",
	"_signal", "_socket", "_stat", "_statistics", "_string", "_struct", "_thread", "_tracemalloc", "_warnings", "_weakref", "atexit", "audioop", "binascii",
	"cmath", "faulthandler", "fcntl", "gc", "grp", "itertools", "marshal", "math", "nt", "posix", "pwd", "resource", "select", "sys", "syslog", "termios", "time",
	"unicodedata", "zlib",
}

// isClass reports whether the name is spelled like a class, or is one of the exceptions to that spelling.
func (g *Global) isClass() bool {
	name := plainName(g)
	c, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_"))
	if unicode.IsUpper(c) {
		return true
	}
	switch g.Module {
	case "datetime", "collections", "ctypes":
		return true
	case "itertools":
		return name != "tee"
	}
	return slices.Contains(lowerClasses, g.Module+" "+name)
}

// lowerClasses are classes that are spelled in lower case.
var lowerClasses = []string{
	"array array", "binascii error", "copyreg error", "csv excel", "csv excel_tab", "csv unix_dialect", "functools cached_property", "functools partial",
	"functools partialmethod", "functools singledispatchmethod", "grp struct_group", "operator attrgetter", "operator itemgetter",
	"operator methodcaller", "os stat_result", "os statvfs_result", "os terminal_size", "posix times_result", "posix uname_result", "posix waitid_result",
	"pwd struct_passwd", "queue deque", "re error", "resource struct_rusage", "select epoll", "select error", "select poll", "socket error", "socket gaierror",
	"socket herror", "socket socket", "socket timeout", "struct error", "time struct_time", "types coroutine", "uuid uuid", "weakref ref", "zlib error", "_struct error",
	"zipimport zipimporter",
}

// isException reports whether a class is one of Python's exceptions, or named like an exception.
func isException(g *Global) bool {
	name := plainName(g)
	c, _ := utf8.DecodeRuneInString(name)
	for _, suffix := range []string{"Error", "Exception", "Warning"} {
		if unicode.IsUpper(c) && strings.HasSuffix(name, suffix) {
			return true
		}
	}
	if g.Module == "builtins" {
		return slices.Contains(exceptions, name) || slices.Contains(osErrors, name) || slices.Contains(newExceptions, name)
	}
	return slices.Contains(otherExceptions, g.Module+" "+name)
}

// newExceptions are the exceptions that are neither in Python 2 nor subclasses of OSError.
var newExceptions = []string{"BaseExceptionGroup", "ExceptionGroup", "StopAsyncIteration"}

// otherExceptions are the exceptions of the library that are not named like exceptions.
var otherExceptions = []string{
	"_queue Empty", "asyncio.queues QueueEmpty", "asyncio.queues QueueFull", "concurrent.futures._base BrokenExecutor", "concurrent.futures._base CancelledError",
	"binascii Incomplete", "concurrent.futures.process BrokenProcessPool", "concurrent.futures.thread BrokenThreadPool", "dataclasses FrozenInstanceError",
	"decimal Clamped", "decimal DivisionByZero", "decimal DivisionImpossible", "decimal DivisionUndefined", "decimal FloatOperation", "decimal Inexact",
	"decimal InvalidContext", "decimal InvalidOperation", "decimal Overflow", "decimal Rounded", "decimal Subnormal", "decimal Underflow", "ftplib error_perm", "ftplib error_temp",
	"http.client BadStatusLine", "http.client CannotSendRequest", "http.client IncompleteRead", "http.client LineTooLong", "http.client RemoteDisconnected", "http.client UnknownProtocol",
	"io UnsupportedOperation", "multiprocessing.context BufferTooShort", "queue Empty", "queue Full", "re error", "select error", "socket timeout", "ssl SSLEOFError",
	"struct error", "_struct error", "subprocess TimeoutExpired", "unittest.case SkipTest", "xdrlib Error", "xml.parsers.expat error", "zipfile BadZipFile", "zlib error",
	"zoneinfo ZoneInfoNotFound", "asyncio.exceptions CancelledError", "smtplib SMTPServerDisconnected", "shutil Error", "locale Error", "webbrowser Error", "uu Error", "sqlite3 Error",
}

// exception prints ValueError('text'): the name and the arguments, without attributes. The third and following
// arguments of an OSError are the names of files, which OSError does not count among its arguments.
func (r *repr) exception(x instance) bool {
	args := x.args
	if x.How != Call && x.How != NewObj || x.Kwargs != nil || len(x.Items) > 0 || len(x.Pairs) > 0 {
		return false
	}
	if v, ok := x.attr("args"); ok {
		if t, ok := v.(*Tuple); ok {
			args = t.Items
		}
	}
	if name := plainName(x.class); len(args) > 2 && len(args) < 6 && x.class.Module == "builtins" &&
		(slices.Contains(osErrors, name) || name == "OSError") {
		args = args[:2]
	}
	if v, ok := x.attr("message"); ok && x.class.Module == "configparser" {
		r.str(v)
		return true
	}
	r.name(exceptionName(x.class, args))
	r.sequence("(", args, ")")
	return true
}

// exceptionName returns the name of the class that Python makes: for an OSError with a number and a text, the class of
// the number.
func exceptionName(class *Global, args []any) string {
	name := plainName(class)
	if number, ok := first(args).(int64); ok && len(args) == 2 && class.Is("builtins", "OSError") {
		for i, numbers := range errnos {
			if slices.Contains(numbers, number) {
				return i
			}
		}
	}
	return name
}

// errnos maps numbers of Linux to the class that OSError makes for them.
var errnos = map[string][]int64{
	"BlockingIOError": {11, 114, 115}, "BrokenPipeError": {32, 108}, "ChildProcessError": {10}, "ConnectionAbortedError": {103},
	"ConnectionRefusedError": {111}, "ConnectionResetError": {104}, "FileExistsError": {17}, "FileNotFoundError": {2}, "InterruptedError": {4},
	"IsADirectoryError": {21}, "NotADirectoryError": {20}, "PermissionError": {1, 13}, "ProcessLookupError": {3}, "TimeoutError": {110},
}
