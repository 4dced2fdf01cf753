package pickle

import (
	"maps"
	"slices"
	"sync"
)

// The tables of compat.go in the other direction, for protocol 2. They are not mirror images: several old names may
// have become one, and some new names have no older one.

// fromPython3 returns the name in Python 2 of a global.
func fromPython3(g Global) Global {
	if old, ok := python2Names()[g]; ok {
		return old
	}
	if g.Module == "builtins" {
		switch {
		case slices.Contains(exceptions, g.Name):
			return Global{Module: "exceptions", Name: g.Name}
		case slices.Contains(osErrors, g.Name):
			return Global{Module: "exceptions", Name: "OSError"}
		}
	}
	if old, ok := python2Modules()[g.Module]; ok {
		return Global{Module: old, Name: g.Name}
	}
	return g
}

// invert returns a table in the other direction, without some of its keys and with additional pairs.
func invert[K comparable](table map[K]K, without []K, with map[K]K) map[K]K {
	inverse := maps.Clone(with)
	for old, name := range table {
		if !slices.Contains(without, old) {
			inverse[name] = old
		}
	}
	return inverse
}

// python2Modules maps modules of Python 3 to their names in Python 2.
var python2Modules = sync.OnceValue(func() map[string]string {
	return invert(python3Modules(), []string{
		"cPickle", "_elementtree", "FileDialog", "SimpleDialog", "DocXMLRPCServer", "SimpleHTTPServer", "CGIHTTPServer", "UserDict", "UserList", "UserString", "whichdb", "StringIO", "cStringIO",
	}, map[string]string{
		"_bz2":       "bz2",
		"_dbm":       "dbm",
		"_functools": "functools",
		"_gdbm":      "gdbm",
		"_pickle":    "pickle",
	})
})

// python2Names maps the names that moved without their module.
var python2Names = sync.OnceValue(func() map[Global]Global {
	return invert(python3Names(), []Global{
		{Module: "__builtin__", Name: "basestring"},
		{Module: "exceptions", Name: "StandardError"},
		{Module: "UserDict", Name: "UserDict"},
		{Module: "socket", Name: "_socketobject"},
	}, map[Global]Global{
		{Module: "_functools", Name: "reduce"}:                        {Module: "__builtin__", Name: "reduce"},
		{Module: "tkinter.filedialog", Name: "FileDialog"}:            {Module: "FileDialog", Name: "FileDialog"},
		{Module: "tkinter.filedialog", Name: "LoadFileDialog"}:        {Module: "FileDialog", Name: "LoadFileDialog"},
		{Module: "tkinter.filedialog", Name: "SaveFileDialog"}:        {Module: "FileDialog", Name: "SaveFileDialog"},
		{Module: "tkinter.simpledialog", Name: "SimpleDialog"}:        {Module: "SimpleDialog", Name: "SimpleDialog"},
		{Module: "xmlrpc.server", Name: "ServerHTMLDoc"}:              {Module: "DocXMLRPCServer", Name: "ServerHTMLDoc"},
		{Module: "xmlrpc.server", Name: "XMLRPCDocGenerator"}:         {Module: "DocXMLRPCServer", Name: "XMLRPCDocGenerator"},
		{Module: "xmlrpc.server", Name: "DocXMLRPCRequestHandler"}:    {Module: "DocXMLRPCServer", Name: "DocXMLRPCRequestHandler"},
		{Module: "xmlrpc.server", Name: "DocXMLRPCServer"}:            {Module: "DocXMLRPCServer", Name: "DocXMLRPCServer"},
		{Module: "xmlrpc.server", Name: "DocCGIXMLRPCRequestHandler"}: {Module: "DocXMLRPCServer", Name: "DocCGIXMLRPCRequestHandler"},
		{Module: "http.server", Name: "SimpleHTTPRequestHandler"}:     {Module: "SimpleHTTPServer", Name: "SimpleHTTPRequestHandler"},
		{Module: "http.server", Name: "CGIHTTPRequestHandler"}:        {Module: "CGIHTTPServer", Name: "CGIHTTPRequestHandler"},
		{Module: "_socket", Name: "socket"}:                           {Module: "socket", Name: "_socketobject"},
		{Module: "builtins", Name: "ModuleNotFoundError"}:             {Module: "exceptions", Name: "ImportError"},
	})
})

// exceptions are the exceptions that Python 2 keeps in module exceptions.
var exceptions = []string{
	"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BufferError", "BytesWarning",
	"DeprecationWarning", "EOFError", "EnvironmentError", "Exception", "FloatingPointError", "FutureWarning",
	"GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError", "KeyError",
	"KeyboardInterrupt", "LookupError", "MemoryError", "NameError", "NotImplementedError", "OSError",
	"OverflowError", "PendingDeprecationWarning", "ReferenceError", "RuntimeError", "RuntimeWarning",
	"StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TypeError",
	"UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError",
	"UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError",
}

// osErrors are the subclasses of OSError that Python 2 does not distinguish.
var osErrors = []string{
	"BrokenPipeError", "ChildProcessError", "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError",
	"ConnectionResetError", "FileExistsError", "FileNotFoundError", "InterruptedError", "IsADirectoryError",
	"NotADirectoryError", "PermissionError", "ProcessLookupError", "TimeoutError",
}
