package suggest

import (
	"os"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"weights", "bias", "Mean", "arr_0", "arr_1", "copy.npz"}
	for _, test := range []struct{ name, word, want string }{
		{"swapped letters", "wieghts", "weights"},
		{"a letter too few", "weight", "weights"},
		{"a letter too many", "biass", "bias"},
		{"another letter", "bjas", "bias"},
		{"another case", "mean", "Mean"},
		{"the first of two as near", "arr_2", "arr_0"},
		{"nothing near", "gradient", ""},
		{"another file", "nope.npz", ""},
		{"another ending", "copy.npy", "copy.npz"},
		{"too short to tell", "xy", ""},
		{"nothing at all", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Nearest(test.word, names); got != test.want {
				t.Errorf("Nearest(%q, %q) = %q, want %q", test.word, names, got, test.want)
			}
		})
	}
}

// The distance is symmetric, and limited by the limit.
func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 9, 0}, {"a", "", 9, 1}, {"abc", "abc", 9, 0}, {"abc", "acb", 9, 1}, {"abcd", "badc", 9, 2},
		{"kitten", "sitting", 9, 3}, {"a", "abcdef", 3, 3},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := test.a, test.b
			if swapped {
				a, b = b, a
			}
			if got := edits(a, b, test.limit); got != test.want {
				t.Errorf("edits(%q, %q, %d) = %d, want %d", a, b, test.limit, got, test.want)
			}
		}
	}
}

func TestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.npy", "weights.npz"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"a.np": "; did you mean a.npy?", "a": "; did you mean a.npy?", "wieghts.npz:w": "; did you mean weights.npz?",
		"b.npy": "", ".npy": "", "none/a.npy": "",
	} {
		if got := File(path); got != want {
			t.Errorf("File(%q) = %q, want %q", path, got, want)
		}
	}
}
