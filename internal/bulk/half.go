package bulk

// DecodeHalves is [Decode] for 16-bit numbers of a named type.
func DecodeHalves[H ~uint16](dst []H, src []byte, swap bool) {
	raw, ok := Bytes(dst)
	switch {
	case !ok:
		o := byteOrder(swap)
		for i := range dst {
			dst[i] = H(o.Uint16(src[2*i:]))
		}
	case swap:
		Swap(raw, src[:len(raw)], 2)
	default:
		copy(raw, src[:len(raw)])
	}
}

// WidenHalves converts IEEE binary16 numbers to float32 if the processor has an instruction for it. It returns the
// number of leading elements that it has converted, which may be 0: it stops at a NaN, whose bits the instruction would
// change, and before an incomplete group at the end. dst must be as long as src.
func WidenHalves[H ~uint16](dst []float32, src []H) int { return widenHalves(dst[:len(src)], src) }

// NarrowHalves is the reverse of WidenHalves. It rounds to nearest, ties to even.
func NarrowHalves[H ~uint16](dst []H, src []float32) int { return narrowHalves(dst[:len(src)], src) }
