package python2

import (
	"maps"
	"slices"
	"sync"
)

// FromPython3 returns the name in Python 2 of a name of Python 3. It is not the inverse of ToPython3: several old names
// may have become one, and some new names have no older one.
func FromPython3(module, name string) (string, string) {
	if old, ok := python2Names()[Name{Module: module, Name: name}]; ok {
		return old.Module, old.Name
	}
	if module == "builtins" {
		switch {
		case slices.Contains(exceptions, name):
			return "exceptions", name
		case slices.Contains(osErrors, name):
			return "exceptions", "OSError"
		}
	}
	if old, ok := python2Modules()[module]; ok {
		return old, name
	}
	return module, name
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
var python2Names = sync.OnceValue(func() map[Name]Name {
	return invert(python3Names(), []Name{
		{Module: "__builtin__", Name: "basestring"},
		{Module: "exceptions", Name: "StandardError"},
		{Module: "UserDict", Name: "UserDict"},
		{Module: "socket", Name: "_socketobject"},
	}, map[Name]Name{
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
