package scalar

// The types of this package are structs, so that +, < and conversions to numbers do not compile: the operators of their
// bits are not the operators of their values. The tag of the first field names the dtype. It makes the types differ from
// each other and from all structs of programs, also where a program defines another type by one of them: a type has the
// tags of the type that defines it.

// An Element is one of the types of this package that stand for elements of arrays, or a type that is defined by one of
// them, as in type Half scalar.Float16.
type Element interface {
	~struct {
		Bits uint16 `dtype:"float16"`
	} | ~struct {
		Bits uint16 `dtype:"bfloat16"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e3m4"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e4m3"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e4m3fn"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e4m3fnuz"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e4m3b11fnuz"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e5m2"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e5m2fnuz"`
	} | ~struct {
		Bits uint8 `dtype:"float8_e8m0fnu"`
	} | ~struct {
		Bits uint8 `dtype:"float6_e2m3fn"`
	} | ~struct {
		Bits uint8 `dtype:"float6_e3m2fn"`
	} | ~struct {
		Bits uint8 `dtype:"float4_e2m1fn"`
	} | ~struct {
		Bits uint8 `dtype:"int4"`
	} | ~struct {
		Bits uint8 `dtype:"uint4"`
	} | ~struct {
		Bits uint8 `dtype:"int2"`
	} | ~struct {
		Bits uint8 `dtype:"uint2"`
	} | ~struct {
		Ticks int64 `dtype:"datetime64"`
	} | ~struct {
		Ticks int64 `dtype:"timedelta64"`
	} | ~struct {
		Hi, Lo uint64 `dtype:"float128"`
	} | ~struct {
		Mantissa uint64 `dtype:"longdouble"`
		SignExp  uint16
		Pad      [6]byte
	} | ~struct {
		Real, Imag Float16 `dtype:"complex32"`
	} | ~struct {
		Real, Imag LongDouble `dtype:"clongdouble"`
	}
}
