package pickle

// The opcodes, under their names in Python's pickletools.
const (
	opMark           = '('
	opEmptyTuple     = ')'
	opStop           = '.'
	opPop            = '0'
	opPopMark        = '1'
	opDup            = '2'
	opBinBytes       = 'B'
	opShortBinBytes  = 'C'
	opFloat          = 'F'
	opBinFloat       = 'G'
	opInt            = 'I'
	opBinInt         = 'J'
	opBinInt1        = 'K'
	opLong           = 'L'
	opBinInt2        = 'M'
	opNone           = 'N'
	opPersID         = 'P'
	opBinPersID      = 'Q'
	opReduce         = 'R'
	opString         = 'S'
	opBinString      = 'T'
	opShortBinString = 'U'
	opUnicode        = 'V'
	opBinUnicode     = 'X'
	opEmptyList      = ']'
	opAppend         = 'a'
	opBuild          = 'b'
	opGlobal         = 'c'
	opDict           = 'd'
	opAppends        = 'e'
	opGet            = 'g'
	opBinGet         = 'h'
	opInst           = 'i'
	opLongBinGet     = 'j'
	opList           = 'l'
	opObj            = 'o'
	opPut            = 'p'
	opBinPut         = 'q'
	opLongBinPut     = 'r'
	opSetItem        = 's'
	opTuple          = 't'
	opSetItems       = 'u'
	opEmptyDict      = '}'

	// Protocol 2.
	opProto    = 0x80
	opNewObj   = 0x81
	opExt1     = 0x82
	opExt2     = 0x83
	opExt4     = 0x84
	opTuple1   = 0x85
	opTuple2   = 0x86
	opTuple3   = 0x87
	opNewTrue  = 0x88
	opNewFalse = 0x89
	opLong1    = 0x8a
	opLong4    = 0x8b

	// Protocol 4.
	opShortBinUnicode = 0x8c
	opBinUnicode8     = 0x8d
	opBinBytes8       = 0x8e
	opEmptySet        = 0x8f
	opAddItems        = 0x90
	opFrozenSet       = 0x91
	opNewObjEx        = 0x92
	opStackGlobal     = 0x93
	opMemoize         = 0x94
	opFrame           = 0x95

	// Protocol 5.
	opByteArray8     = 0x96
	opNextBuffer     = 0x97
	opReadOnlyBuffer = 0x98
)

// maxProtocol is the newest protocol.
const maxProtocol = 5

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

// An opcode is a row of the table of opcodes.
type opcode struct {
	name     string // the name in pickletools; "" for an invalid opcode
	arg      argument
	protocol int // the first protocol with this opcode
}

// opcodes is indexed by the opcode's byte.
var opcodes = [256]opcode{
	opMark:           {"MARK", argNone, 0},
	opEmptyTuple:     {"EMPTY_TUPLE", argNone, 1},
	opStop:           {"STOP", argNone, 0},
	opPop:            {"POP", argNone, 0},
	opPopMark:        {"POP_MARK", argNone, 1},
	opDup:            {"DUP", argNone, 0},
	opBinBytes:       {"BINBYTES", argBytes32, 3},
	opShortBinBytes:  {"SHORT_BINBYTES", argBytes8, 3},
	opFloat:          {"FLOAT", argLine, 0},
	opBinFloat:       {"BINFLOAT", argFloat64, 1},
	opInt:            {"INT", argLine, 0},
	opBinInt:         {"BININT", argInt32, 1},
	opBinInt1:        {"BININT1", argUint8, 1},
	opLong:           {"LONG", argLine, 0},
	opBinInt2:        {"BININT2", argUint16, 1},
	opNone:           {"NONE", argNone, 0},
	opPersID:         {"PERSID", argLine, 0},
	opBinPersID:      {"BINPERSID", argNone, 1},
	opReduce:         {"REDUCE", argNone, 0},
	opString:         {"STRING", argLine, 0},
	opBinString:      {"BINSTRING", argBytes32, 1}, // the count is signed
	opShortBinString: {"SHORT_BINSTRING", argBytes8, 1},
	opUnicode:        {"UNICODE", argLine, 0},
	opBinUnicode:     {"BINUNICODE", argBytes32, 1},
	opEmptyList:      {"EMPTY_LIST", argNone, 1},
	opAppend:         {"APPEND", argNone, 0},
	opBuild:          {"BUILD", argNone, 0},
	opGlobal:         {"GLOBAL", argLines, 0},
	opDict:           {"DICT", argNone, 0},
	opAppends:        {"APPENDS", argNone, 1},
	opGet:            {"GET", argLine, 0},
	opBinGet:         {"BINGET", argUint8, 1},
	opInst:           {"INST", argLines, 0},
	opLongBinGet:     {"LONG_BINGET", argUint32, 1},
	opList:           {"LIST", argNone, 0},
	opObj:            {"OBJ", argNone, 1},
	opPut:            {"PUT", argLine, 0},
	opBinPut:         {"BINPUT", argUint8, 1},
	opLongBinPut:     {"LONG_BINPUT", argUint32, 1},
	opSetItem:        {"SETITEM", argNone, 0},
	opTuple:          {"TUPLE", argNone, 0},
	opSetItems:       {"SETITEMS", argNone, 1},
	opEmptyDict:      {"EMPTY_DICT", argNone, 1},

	opProto:    {"PROTO", argUint8, 2},
	opNewObj:   {"NEWOBJ", argNone, 2},
	opExt1:     {"EXT1", argUint8, 2},
	opExt2:     {"EXT2", argUint16, 2},
	opExt4:     {"EXT4", argInt32, 2},
	opTuple1:   {"TUPLE1", argNone, 2},
	opTuple2:   {"TUPLE2", argNone, 2},
	opTuple3:   {"TUPLE3", argNone, 2},
	opNewTrue:  {"NEWTRUE", argNone, 2},
	opNewFalse: {"NEWFALSE", argNone, 2},
	opLong1:    {"LONG1", argBytes8, 2},
	opLong4:    {"LONG4", argBytes32, 2}, // the count is signed

	opShortBinUnicode: {"SHORT_BINUNICODE", argBytes8, 4},
	opBinUnicode8:     {"BINUNICODE8", argBytes64, 4},
	opBinBytes8:       {"BINBYTES8", argBytes64, 4},
	opEmptySet:        {"EMPTY_SET", argNone, 4},
	opAddItems:        {"ADDITEMS", argNone, 4},
	opFrozenSet:       {"FROZENSET", argNone, 4},
	opNewObjEx:        {"NEWOBJ_EX", argNone, 4},
	opStackGlobal:     {"STACK_GLOBAL", argNone, 4},
	opMemoize:         {"MEMOIZE", argNone, 4},
	opFrame:           {"FRAME", argUint64, 4},

	opByteArray8:     {"BYTEARRAY8", argBytes64, 5},
	opNextBuffer:     {"NEXT_BUFFER", argNone, 5},
	opReadOnlyBuffer: {"READONLY_BUFFER", argNone, 5},
}
