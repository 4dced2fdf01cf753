package pickle

import (
	"encoding/json"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// TestOpcodes compares the table with that of Python's pickletools.
func TestOpcodes(t *testing.T) {
	const script = `
import json, pickletools
print(json.dumps([[ord(o.code), o.name, o.arg.name if o.arg else '', o.proto] for o in pickletools.opcodes]))`
	arguments := map[string]argument{
		"": argNone, "uint1": argUint8, "uint2": argUint16, "int4": argInt32, "uint4": argUint32, "uint8": argUint64,
		"float8": argFloat64, "floatnl": argLine, "stringnl": argLine, "decimalnl_short": argLine, "decimalnl_long": argLine,
		"unicodestringnl": argLine, "stringnl_noescape": argLine, "stringnl_noescape_pair": argLines,
		"bytes1": argBytes8, "bytes4": argBytes32, "bytes8": argBytes64, "bytearray8": argBytes64,
		"string1": argBytes8, "string4": argBytes32, "long1": argBytes8, "long4": argBytes32,
		"unicodestring1": argBytes8, "unicodestring4": argBytes32, "unicodestring8": argBytes64,
	}
	var rows [][4]any
	if err := json.Unmarshal(oracle.Python(t, script, nil), &rows); err != nil {
		t.Fatal(err)
	}
	want := [256]opcode{}
	for _, row := range rows {
		arg, ok := arguments[row[2].(string)]
		if !ok {
			t.Errorf("%s has the unknown argument %s", row[1], row[2])
		}
		want[int(row[0].(float64))] = opcode{row[1].(string), arg, int(row[3].(float64))}
	}
	for code, op := range opcodes {
		if op != want[code] {
			t.Errorf("opcode %#02x is %v, want %v", code, op, want[code])
		}
	}
}
