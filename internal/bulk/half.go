package bulk

// WidenHalves converts IEEE binary16 numbers to float32 if the processor has an instruction for it. It returns the
// number of leading elements that it has converted, which may be 0: it stops at a NaN, whose bits the instruction would
// change, and before an incomplete group at the end. dst must be as long as src.
func WidenHalves(dst []float32, src []uint16) int { return widenHalves(dst[:len(src)], src) }

// NarrowHalves is the reverse of WidenHalves. It rounds to nearest, ties to even.
func NarrowHalves(dst []uint16, src []float32) int { return narrowHalves(dst[:len(src)], src) }
