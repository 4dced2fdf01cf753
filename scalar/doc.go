// Package scalar gives a Go home to the NumPy element types Go lacks, and to the texts NumPy prints
// for them.
//
//	h := scalar.Float16FromFloat32(0.1)                    // IEEE binary16, numpy.float16
//	fmt.Println(h)                                         // 0.1
//	t := scalar.Datetime64(18262)                          // ticks; what a tick is comes from the dtype
//	fmt.Println(t.Format(dtype.Step{Num: 1, Unit: dtype.Day})) // 2020-01-01
//
// The types are plain values with the memory of the NumPy item: [Float16], [BFloat16] and the [Float8] types
// of ml_dtypes are their bits, [LongDouble] is the 16-byte item of x87 extended precision and [Float128] the
// number of IEEE binary128, [Datetime64] and [Timedelta64] are counts of ticks. [AppendFloat32],
// [AppendFloat64], [AppendComplex64] and [AppendComplex128] print Go's own floats as NumPy does;
// [AppendUCS4] and [PutUCS4] are the items of a U dtype.
//
// Every conversion accepts every bit pattern and none panics. Rounding is to nearest, ties to even,
// done once: text goes straight to the target format, never by way of a wider float. Parsing functions
// take plain decimal text: no surrounding spaces, underscores or hexadecimal digits. Text too large for
// the format gives the infinity of its sign, or what the format has instead, together with an error that
// wraps [ErrRange]. [Float16sToFloat32s] and its like convert whole slices, much faster and with the same
// results.
//
// All values may be read by several goroutines at once; the package keeps no state but tables it computes once.
package scalar
