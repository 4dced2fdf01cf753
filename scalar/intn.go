package scalar

import "strconv"

// The integers of ml_dtypes take a byte each. The value is in the low bits; the bits above are ignored (intn.h).

// An Int4 is ml_dtypes.int4, an integer from -8 to 7 in two's complement, which NumPy writes as <V1.
type Int4 struct {
	Bits uint8 `dtype:"int4"` // two's complement in the low four bits
}

// A Uint4 is ml_dtypes.uint4, an integer from 0 to 15, which NumPy writes as <V1.
type Uint4 struct {
	Bits uint8 `dtype:"uint4"` // the value in the low four bits
}

// An Int2 is ml_dtypes.int2, an integer from -2 to 1 in two's complement, which NumPy writes as <V1.
type Int2 struct {
	Bits uint8 `dtype:"int2"` // two's complement in the low two bits
}

// A Uint2 is ml_dtypes.uint2, an integer from 0 to 3, which NumPy writes as <V1.
type Uint2 struct {
	Bits uint8 `dtype:"uint2"` // the value in the low two bits
}

// A SmallInt is one of the integers narrower than a byte.
type SmallInt interface{ Int4 | Uint4 | Int2 | Uint2 }

// Int8 returns the value of i.
func (i Int4) Int8() int8 { return int8(i.Bits<<4) >> 4 }

// Int8 returns the value of i.
func (i Int2) Int8() int8 { return int8(i.Bits<<6) >> 6 }

// Uint8 returns the value of u.
func (u Uint4) Uint8() uint8 { return u.Bits & 15 }

// Uint8 returns the value of u.
func (u Uint2) Uint8() uint8 { return u.Bits & 3 }

// String returns the value of i in decimal.
func (i Int4) String() string { return strconv.Itoa(int(i.Int8())) }

// String returns the value of i in decimal.
func (i Int2) String() string { return strconv.Itoa(int(i.Int8())) }

// String returns the value of u in decimal.
func (u Uint4) String() string { return strconv.Itoa(int(u.Uint8())) }

// String returns the value of u in decimal.
func (u Uint2) String() string { return strconv.Itoa(int(u.Uint8())) }

// Int4FromInt returns i as an Int4, and whether it is in range. Out of range it returns the low bits.
func Int4FromInt(i int) (x Int4, ok bool) { return Int4{uint8(i & 15)}, -8 <= i && i <= 7 }

// Int2FromInt returns i as an Int2, and whether it is in range. Out of range it returns the low bits.
func Int2FromInt(i int) (x Int2, ok bool) { return Int2{uint8(i & 3)}, -2 <= i && i <= 1 }

// Uint4FromInt returns i as a Uint4, and whether it is in range. Out of range it returns the low bits.
func Uint4FromInt(i int) (x Uint4, ok bool) { return Uint4{uint8(i & 15)}, 0 <= i && i <= 15 }

// Uint2FromInt returns i as a Uint2, and whether it is in range. Out of range it returns the low bits.
func Uint2FromInt(i int) (x Uint2, ok bool) { return Uint2{uint8(i & 3)}, 0 <= i && i <= 3 }
