package python2

import (
	"slices"
	"sync"
)

// A Name is the name of a class, function or constant in a module.
type Name struct{ Module, Name string }

// python3Modules maps modules of Python 2 to their names in Python 3.
var python3Modules = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"BaseHTTPServer":     "http.server",
		"CGIHTTPServer":      "http.server",
		"ConfigParser":       "configparser",
		"Cookie":             "http.cookies",
		"Dialog":             "tkinter.dialog",
		"DocXMLRPCServer":    "xmlrpc.server",
		"FileDialog":         "tkinter.filedialog",
		"HTMLParser":         "html.parser",
		"Queue":              "queue",
		"ScrolledText":       "tkinter.scrolledtext",
		"SimpleDialog":       "tkinter.simpledialog",
		"SimpleHTTPServer":   "http.server",
		"SimpleXMLRPCServer": "xmlrpc.server",
		"SocketServer":       "socketserver",
		"StringIO":           "io",
		"Tix":                "tkinter.tix",
		"Tkconstants":        "tkinter.constants",
		"Tkdnd":              "tkinter.dnd",
		"Tkinter":            "tkinter",
		"UserDict":           "collections",
		"UserList":           "collections",
		"UserString":         "collections",
		"__builtin__":        "builtins",
		"_abcoll":            "collections.abc",
		"_elementtree":       "xml.etree.ElementTree",
		"_winreg":            "winreg",
		"anydbm":             "dbm",
		"cPickle":            "pickle",
		"cStringIO":          "io",
		"commands":           "subprocess",
		"cookielib":          "http.cookiejar",
		"copy_reg":           "copyreg",
		"dbhash":             "dbm.bsd",
		"dbm":                "dbm.ndbm",
		"dumbdbm":            "dbm.dumb",
		"dummy_thread":       "_dummy_thread",
		"gdbm":               "dbm.gnu",
		"htmlentitydefs":     "html.entities",
		"httplib":            "http.client",
		"markupbase":         "_markupbase",
		"repr":               "reprlib",
		"robotparser":        "urllib.robotparser",
		"test.test_support":  "test.support",
		"thread":             "_thread",
		"tkColorChooser":     "tkinter.colorchooser",
		"tkCommonDialog":     "tkinter.commondialog",
		"tkFileDialog":       "tkinter.filedialog",
		"tkFont":             "tkinter.font",
		"tkMessageBox":       "tkinter.messagebox",
		"tkSimpleDialog":     "tkinter.simpledialog",
		"ttk":                "tkinter.ttk",
		"urllib2":            "urllib.request",
		"urlparse":           "urllib.parse",
		"whichdb":            "dbm",
		"xmlrpclib":          "xmlrpc.client",
	}
})

// python3Names maps the names that moved without their module.
var python3Names = sync.OnceValue(func() map[Name]Name {
	return map[Name]Name{
		{Module: "UserDict", Name: "IterableUserDict"}:           {Module: "collections", Name: "UserDict"},
		{Module: "UserDict", Name: "UserDict"}:                   {Module: "collections", Name: "UserDict"},
		{Module: "UserList", Name: "UserList"}:                   {Module: "collections", Name: "UserList"},
		{Module: "UserString", Name: "UserString"}:               {Module: "collections", Name: "UserString"},
		{Module: "__builtin__", Name: "basestring"}:              {Module: "builtins", Name: "str"},
		{Module: "__builtin__", Name: "intern"}:                  {Module: "sys", Name: "intern"},
		{Module: "__builtin__", Name: "long"}:                    {Module: "builtins", Name: "int"},
		{Module: "__builtin__", Name: "reduce"}:                  {Module: "functools", Name: "reduce"},
		{Module: "__builtin__", Name: "unichr"}:                  {Module: "builtins", Name: "chr"},
		{Module: "__builtin__", Name: "unicode"}:                 {Module: "builtins", Name: "str"},
		{Module: "__builtin__", Name: "xrange"}:                  {Module: "builtins", Name: "range"},
		{Module: "_multiprocessing", Name: "Connection"}:         {Module: "multiprocessing.connection", Name: "Connection"},
		{Module: "_socket", Name: "fromfd"}:                      {Module: "socket", Name: "fromfd"},
		{Module: "exceptions", Name: "StandardError"}:            {Module: "builtins", Name: "Exception"},
		{Module: "itertools", Name: "ifilter"}:                   {Module: "builtins", Name: "filter"},
		{Module: "itertools", Name: "ifilterfalse"}:              {Module: "itertools", Name: "filterfalse"},
		{Module: "itertools", Name: "imap"}:                      {Module: "builtins", Name: "map"},
		{Module: "itertools", Name: "izip"}:                      {Module: "builtins", Name: "zip"},
		{Module: "itertools", Name: "izip_longest"}:              {Module: "itertools", Name: "zip_longest"},
		{Module: "multiprocessing", Name: "AuthenticationError"}: {Module: "multiprocessing.context", Name: "AuthenticationError"},
		{Module: "multiprocessing", Name: "BufferTooShort"}:      {Module: "multiprocessing.context", Name: "BufferTooShort"},
		{Module: "multiprocessing", Name: "ProcessError"}:        {Module: "multiprocessing.context", Name: "ProcessError"},
		{Module: "multiprocessing", Name: "TimeoutError"}:        {Module: "multiprocessing.context", Name: "TimeoutError"},
		{Module: "multiprocessing.forking", Name: "Popen"}:       {Module: "multiprocessing.popen_fork", Name: "Popen"},
		{Module: "multiprocessing.process", Name: "Process"}:     {Module: "multiprocessing.context", Name: "Process"},
		{Module: "socket", Name: "_socketobject"}:                {Module: "socket", Name: "SocketType"},
		{Module: "urllib", Name: "ContentTooShortError"}:         {Module: "urllib.error", Name: "ContentTooShortError"},
		{Module: "urllib", Name: "getproxies"}:                   {Module: "urllib.request", Name: "getproxies"},
		{Module: "urllib", Name: "pathname2url"}:                 {Module: "urllib.request", Name: "pathname2url"},
		{Module: "urllib", Name: "quote"}:                        {Module: "urllib.parse", Name: "quote"},
		{Module: "urllib", Name: "quote_plus"}:                   {Module: "urllib.parse", Name: "quote_plus"},
		{Module: "urllib", Name: "unquote"}:                      {Module: "urllib.parse", Name: "unquote"},
		{Module: "urllib", Name: "unquote_plus"}:                 {Module: "urllib.parse", Name: "unquote_plus"},
		{Module: "urllib", Name: "url2pathname"}:                 {Module: "urllib.request", Name: "url2pathname"},
		{Module: "urllib", Name: "urlcleanup"}:                   {Module: "urllib.request", Name: "urlcleanup"},
		{Module: "urllib", Name: "urlencode"}:                    {Module: "urllib.parse", Name: "urlencode"},
		{Module: "urllib", Name: "urlopen"}:                      {Module: "urllib.request", Name: "urlopen"},
		{Module: "urllib", Name: "urlretrieve"}:                  {Module: "urllib.request", Name: "urlretrieve"},
		{Module: "urllib2", Name: "HTTPError"}:                   {Module: "urllib.error", Name: "HTTPError"},
		{Module: "urllib2", Name: "URLError"}:                    {Module: "urllib.error", Name: "URLError"},
		{Module: "whichdb", Name: "whichdb"}:                     {Module: "dbm", Name: "whichdb"},
	}
})

// ToPython3 returns the name in Python 3 of a name that may come from Python 2. Other names are returned unchanged.
func ToPython3(module, name string) (string, string) {
	if n, ok := python3Names()[Name{Module: module, Name: name}]; ok {
		return n.Module, n.Name
	}
	if module == "exceptions" && slices.Contains(exceptions, name) {
		return "builtins", name
	}
	if m, ok := python3Modules()[module]; ok {
		return m, name
	}
	return module, name
}
