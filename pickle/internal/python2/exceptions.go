package python2

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
