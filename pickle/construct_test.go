package pickle

import "testing"

// Names of Python 2 become names of Python 3 in protocols that Python 2 may have written.
func TestFromPython2(t *testing.T) {
	for _, data := range []string{"c__builtin__\nset\n.", "\x80\x02c__builtin__\nset\n.", "\x80\x03cbuiltins\nset\n.", "\x80\x04\x8c\x08builtins\x8c\x03set\x93."} {
		if v, err := Decode([]byte(data)); describe(v) != "global:builtins.set" || err != nil {
			t.Errorf("Decode(%q) = %s, %v, want builtins.set", data, describe(v), err)
		}
	}
	if v, err := Decode([]byte("\x80\x03c__builtin__\nset\n.")); describe(v) != "global:__builtin__.set" || err != nil {
		t.Errorf("protocol 3: %s, %v, want the name unchanged", describe(v), err)
	}
}
