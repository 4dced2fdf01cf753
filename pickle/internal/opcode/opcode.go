package opcode

// The opcodes, under their names in Python's pickletools.
const (
	Mark           = '('
	EmptyTuple     = ')'
	Stop           = '.'
	Pop            = '0'
	PopMark        = '1'
	Dup            = '2'
	BinBytes       = 'B'
	ShortBinBytes  = 'C'
	Float          = 'F'
	BinFloat       = 'G'
	Int            = 'I'
	BinInt         = 'J'
	BinInt1        = 'K'
	Long           = 'L'
	BinInt2        = 'M'
	None           = 'N'
	PersID         = 'P'
	BinPersID      = 'Q'
	Reduce         = 'R'
	String         = 'S'
	BinString      = 'T'
	ShortBinString = 'U'
	Unicode        = 'V'
	BinUnicode     = 'X'
	EmptyList      = ']'
	Append         = 'a'
	Build          = 'b'
	Global         = 'c'
	Dict           = 'd'
	Appends        = 'e'
	Get            = 'g'
	BinGet         = 'h'
	Inst           = 'i'
	LongBinGet     = 'j'
	List           = 'l'
	Obj            = 'o'
	Put            = 'p'
	BinPut         = 'q'
	LongBinPut     = 'r'
	SetItem        = 's'
	Tuple          = 't'
	SetItems       = 'u'
	EmptyDict      = '}'

	// Protocol 2.
	Proto    = 0x80
	NewObj   = 0x81
	Ext1     = 0x82
	Ext2     = 0x83
	Ext4     = 0x84
	Tuple1   = 0x85
	Tuple2   = 0x86
	Tuple3   = 0x87
	NewTrue  = 0x88
	NewFalse = 0x89
	Long1    = 0x8a
	Long4    = 0x8b

	// Protocol 4.
	ShortBinUnicode = 0x8c
	BinUnicode8     = 0x8d
	BinBytes8       = 0x8e
	EmptySet        = 0x8f
	AddItems        = 0x90
	FrozenSet       = 0x91
	NewObjEx        = 0x92
	StackGlobal     = 0x93
	Memoize         = 0x94
	Frame           = 0x95

	// Protocol 5.
	ByteArray8     = 0x96
	NextBuffer     = 0x97
	ReadOnlyBuffer = 0x98
)

// MaxProtocol is the newest protocol.
const MaxProtocol = 5

// An argument is the type of an opcode's argument in the stream. Integers are little-endian.
type argument uint8

const (
	argNone    argument = iota
	argUint8            // an unsigned integer of one byte
	argUint16           // two bytes
	argInt32            // a signed integer of four bytes
	argUint32           // an unsigned integer of four bytes
	argUint64           // an unsigned integer of eight bytes
	argFloat64          // a float of eight bytes, big-endian
	argLine             // text up to a newline, and the newline
	argLines            // two lines
	argBytes8           // an unsigned count of one byte, then as many bytes
	argBytes32          // a count of four bytes, then the bytes
	argBytes64          // a count of eight bytes, then the bytes
)

// A row is a row of the table of opcodes.
type row struct {
	name     string // the name in pickletools; "" for an invalid opcode
	arg      argument
	protocol int // the first protocol with this opcode
}

// Name returns the name of an opcode in pickletools, "" for a byte that is not an opcode.
func Name(code byte) string { return table[code].name }

// Protocol returns the first protocol with an opcode.
func Protocol(code byte) int { return table[code].protocol }

// HasArgument reports whether an opcode has an argument.
func HasArgument(code byte) bool { return table[code].arg != argNone }

// table is indexed by the opcode's byte.
var table = [256]row{
	Mark:           {"MARK", argNone, 0},
	EmptyTuple:     {"EMPTY_TUPLE", argNone, 1},
	Stop:           {"STOP", argNone, 0},
	Pop:            {"POP", argNone, 0},
	PopMark:        {"POP_MARK", argNone, 1},
	Dup:            {"DUP", argNone, 0},
	BinBytes:       {"BINBYTES", argBytes32, 3},
	ShortBinBytes:  {"SHORT_BINBYTES", argBytes8, 3},
	Float:          {"FLOAT", argLine, 0},
	BinFloat:       {"BINFLOAT", argFloat64, 1},
	Int:            {"INT", argLine, 0},
	BinInt:         {"BININT", argInt32, 1},
	BinInt1:        {"BININT1", argUint8, 1},
	Long:           {"LONG", argLine, 0},
	BinInt2:        {"BININT2", argUint16, 1},
	None:           {"NONE", argNone, 0},
	PersID:         {"PERSID", argLine, 0},
	BinPersID:      {"BINPERSID", argNone, 1},
	Reduce:         {"REDUCE", argNone, 0},
	String:         {"STRING", argLine, 0},
	BinString:      {"BINSTRING", argBytes32, 1}, // the count is signed
	ShortBinString: {"SHORT_BINSTRING", argBytes8, 1},
	Unicode:        {"UNICODE", argLine, 0},
	BinUnicode:     {"BINUNICODE", argBytes32, 1},
	EmptyList:      {"EMPTY_LIST", argNone, 1},
	Append:         {"APPEND", argNone, 0},
	Build:          {"BUILD", argNone, 0},
	Global:         {"GLOBAL", argLines, 0},
	Dict:           {"DICT", argNone, 0},
	Appends:        {"APPENDS", argNone, 1},
	Get:            {"GET", argLine, 0},
	BinGet:         {"BINGET", argUint8, 1},
	Inst:           {"INST", argLines, 0},
	LongBinGet:     {"LONG_BINGET", argUint32, 1},
	List:           {"LIST", argNone, 0},
	Obj:            {"OBJ", argNone, 1},
	Put:            {"PUT", argLine, 0},
	BinPut:         {"BINPUT", argUint8, 1},
	LongBinPut:     {"LONG_BINPUT", argUint32, 1},
	SetItem:        {"SETITEM", argNone, 0},
	Tuple:          {"TUPLE", argNone, 0},
	SetItems:       {"SETITEMS", argNone, 1},
	EmptyDict:      {"EMPTY_DICT", argNone, 1},

	Proto:    {"PROTO", argUint8, 2},
	NewObj:   {"NEWOBJ", argNone, 2},
	Ext1:     {"EXT1", argUint8, 2},
	Ext2:     {"EXT2", argUint16, 2},
	Ext4:     {"EXT4", argInt32, 2},
	Tuple1:   {"TUPLE1", argNone, 2},
	Tuple2:   {"TUPLE2", argNone, 2},
	Tuple3:   {"TUPLE3", argNone, 2},
	NewTrue:  {"NEWTRUE", argNone, 2},
	NewFalse: {"NEWFALSE", argNone, 2},
	Long1:    {"LONG1", argBytes8, 2},
	Long4:    {"LONG4", argBytes32, 2}, // the count is signed

	ShortBinUnicode: {"SHORT_BINUNICODE", argBytes8, 4},
	BinUnicode8:     {"BINUNICODE8", argBytes64, 4},
	BinBytes8:       {"BINBYTES8", argBytes64, 4},
	EmptySet:        {"EMPTY_SET", argNone, 4},
	AddItems:        {"ADDITEMS", argNone, 4},
	FrozenSet:       {"FROZENSET", argNone, 4},
	NewObjEx:        {"NEWOBJ_EX", argNone, 4},
	StackGlobal:     {"STACK_GLOBAL", argNone, 4},
	Memoize:         {"MEMOIZE", argNone, 4},
	Frame:           {"FRAME", argUint64, 4},

	ByteArray8:     {"BYTEARRAY8", argBytes64, 5},
	NextBuffer:     {"NEXT_BUFFER", argNone, 5},
	ReadOnlyBuffer: {"READONLY_BUFFER", argNone, 5},
}
