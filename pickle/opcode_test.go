package pickle

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

// TestFromPython2 compares the tables of names with Python's pickle.
func TestFromPython2(t *testing.T) {
	const script = `
import json, _compat_pickle as c
print(json.dumps([[[k, 'some_name'], [v, 'some_name']] for k, v in c.IMPORT_MAPPING.items()] + [[k, v] for k, v in c.NAME_MAPPING.items()]))`
	var rows [][2][2]string
	if err := json.Unmarshal(oracle.Python(t, script, nil), &rows); err != nil {
		t.Fatal(err)
	}
	rows = append(rows, [2][2]string{{"numpy", "ndarray"}, {"numpy", "ndarray"}})
	for _, row := range rows {
		if module, name := fromPython2(row[0][0], row[0][1]); module != row[1][0] || name != row[1][1] {
			t.Errorf("%s.%s becomes %s.%s, want %s.%s", row[0][0], row[0][1], module, name, row[1][0], row[1][1])
		}
	}
	for _, data := range []string{"c__builtin__\nset\n.", "\x80\x02c__builtin__\nset\n.", "\x80\x03cbuiltins\nset\n.", "\x80\x04\x8c\x08builtins\x8c\x03set\x93."} {
		if v, err := Decode([]byte(data)); describe(v) != "global:builtins.set" || err != nil {
			t.Errorf("Decode(%q) = %s, %v, want builtins.set", data, describe(v), err)
		}
	}
	if v, err := Decode([]byte("\x80\x03c__builtin__\nset\n.")); describe(v) != "global:__builtin__.set" || err != nil {
		t.Errorf("protocol 3: %s, %v, want the name unchanged", describe(v), err)
	}
}
