package main

import (
	"testing"
)

func TestPortableName(t *testing.T) {
	for name, want := range map[string]string{
		"a.npy": "a.npy", "layer1/w.npy": "layer1/w.npy", "é 整.npy": "é 整.npy", ".hidden": ".hidden", "dir/": "dir/", "../up": "../up",
		"a:b.npy": "a_b.npy", `q"<>|?*\.npy`: "q_______.npy", "tab\t\x7f": "tab__", "dots..": "dots._", "space ": "space_", "x./y /z": "x_/y_/z",
		"con": "_con", "NUL.npy": "_NUL.npy", "a/Com1.tar.npy": "a/_Com1.tar.npy", "lpt¹": "_lpt¹", "aux .txt": "_aux .txt", "console": "console", "com10": "com10", "COM": "COM",
		"conin$": "_conin$",
	} {
		if got := portableName(name); got != want {
			t.Errorf("portableName(%q) = %q, want %q", name, got, want)
		}
		if got := portableName(want); got != want {
			t.Errorf("portableName(%q) = %q: it is portable already", want, got)
		}
	}
}
