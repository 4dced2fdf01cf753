package property

// A Known is a difference that is expected.
type Known struct {
	Area string // "" for all
	Name string
	Why  string
	Doc  string // words of doc/differences.md that say so; "" for what is to be mended
	Is   func(d *Difference) bool
}

// known returns the entry that explains a difference, nil if there is none.
func known(table []Known, d *Difference) *Known {
	for i, k := range table {
		if (k.Area == d.Area || k.Area == "") && k.Is(d) {
			return &table[i]
		}
	}
	return nil
}
