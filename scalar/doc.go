// Package scalar has Go types for the NumPy element types that Go lacks, and the texts that NumPy prints for them.
//
//	h := scalar.Float16FromFloat32(0.1)                    // IEEE binary16, numpy.float16
//	fmt.Println(h)                                         // 0.1
//	t := scalar.Datetime64{Ticks: 18262}                   // the dtype says how long a tick is
//	fmt.Println(t.Format(dtype.Step{Num: 1, Unit: dtype.Day})) // 2020-01-01
//
// The types are structs with the memory of the NumPy item, and nothing else: [Float16], [BFloat16] and the [Float8]
// types of ml_dtypes have their Bits, [LongDouble] is the 16-byte item of x87 extended precision and [Float128] the
// number of IEEE binary128, [Datetime64] and [Timedelta64] have their Ticks. Operators such as + and < do not compile,
// because operators on the bits would not compute with the numbers: convert, or compute with the fields. Float16{Bits:
// 0x3c00} and Datetime64{Ticks: 18262} make values of fields; [Ticks], [Datetime64s] and [Timedelta64s] give and take the
// ticks of whole slices. == compares the fields: NaNs of the same bits are equal, and zeros of both signs differ.
//
// [AppendFloat32], [AppendFloat64], [AppendComplex64] and [AppendComplex128] print Go's own floats as NumPy does;
// [AppendUCS4] and [PutUCS4] are the items of a U dtype.
//
// # Which small float is it
//
// A file does not say: NumPy writes all one-byte types of ml_dtypes as <V1. Only the program that wrote the file can
// tell. Weights and activations of neural networks are nearly always [Float8E4M3FN] (NVIDIA, OCP). Gradients are
// [Float8E5M2], which files do name: <f1. [Float8E4M3FNUZ] and [Float8E5M2FNUZ] belong to AMD MI300 and Graphcore.
// [Float8E8M0FNU] is the scale of a block of MX formats, whose elements are [Float4E2M1FN], [Float6E2M3FN],
// [Float6E3M2FN] or one of the first two. A wrong guess is not an error, but gives wrong numbers: check for unexpected
// NaNs, and the largest values.
//
// # Times and package time
//
// A [Datetime64] is a count and means nothing without the step of its dtype, [dtype.Type.Step]. [Datetime64.Time],
// [Datetime64FromTime] and [Timedelta64.Duration] convert to and from package time. A time.Duration is a Timedelta64 of
// nanoseconds. A value without a counterpart is a *[RangeError] that wraps the reason: [ErrNaT], [ErrRange],
// [ErrInexact] for a fraction of a nanosecond, [ErrUnit] for steps without a fixed length. IsNaT reports NaT, which is
// the value [NaT].
//
// # Rounding and errors
//
// Every conversion accepts every bit pattern and none panics. Rounding is to nearest, ties to even, done once: text
// goes straight to the target format, never by way of a wider float. Parsing functions take plain decimal text: no
// surrounding spaces, underscores or hexadecimal digits. A number too large for the format gives the infinity of its
// sign, or the format's substitute, together with an error that wraps [ErrRange]. [Float16sToFloat32s] and its like
// convert whole slices, much faster and with the same results.
//
// Errors are a *[ParseError] for a text, *[RangeError] for a time, *[CodePointError], *[LengthError] and *[SizeError]
// for items, and wrap one of the reasons below.
//
// All values may be read by several goroutines at once; the package keeps no state but tables it computes once.
package scalar
