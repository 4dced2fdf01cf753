package property

// A Known is an expected difference.
type Known struct {
	Area string // "" for all
	Name string
	Why  string
	Doc  string // the words of doc/differences.md about it; "" for a fault that is to be fixed
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
