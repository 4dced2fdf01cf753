package opcode

import (
	"encoding/json"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// TestOpcodes compares the table with Python's pickletools.
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
	want := [256]row{}
	for _, r := range rows {
		arg, ok := arguments[r[2].(string)]
		if !ok {
			t.Errorf("%s has the unknown argument %s", r[1], r[2])
		}
		want[int(r[0].(float64))] = row{r[1].(string), arg, int(r[3].(float64))}
	}
	for code, op := range table {
		if op != want[code] {
			t.Errorf("opcode %#02x is %v, want %v", code, op, want[code])
		}
	}
}
