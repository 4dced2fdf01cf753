package scalar_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

func ExampleFloat16() {
	h := scalar.Float16FromFloat32(0.1)
	fmt.Println(h, h.Float32(), uint16(h))
	_, err := scalar.ParseFloat16("70000")
	fmt.Println(err)
	// Output:
	// 0.1 0.099975586 11878
	// scalar: cannot read "70000" as float16: value out of range
}

func ExampleBFloat16() {
	b := scalar.BFloat16FromFloat32(3.14159)
	fmt.Println(b, b.Float32())
	// Output: 3.14 3.140625
}

func ExampleFloat8E5M2() {
	f := scalar.Float8E5M2FromFloat32(0.3)
	fmt.Println(f, f.Float32())
	// Output: 0.3 0.3125
}

func ExampleFloat8E4M3FN() {
	f := scalar.Float8E4M3FNFromFloat32(0.3)
	fmt.Println(f, f.Float32())
	fmt.Println(scalar.Float8E4M3FNFromFloat32(464), scalar.Float8E4M3FNFromFloat32(465)) // the largest, and no infinity
	// Output:
	// 0.3 0.3125
	// 450.0 nan
}

func ExampleFloat8E8M0FNU() {
	scale := scalar.Float8E8M0FNUFromFloat32(1000)
	fmt.Println(scale.Float32(), uint8(scale))
	// Output: 1024 137
}

func ExampleFloat4E2M1FN() {
	for _, f := range []float32{0.2, 0.3, 5, 100} {
		fmt.Println(f, scalar.Float4E2M1FNFromFloat32(f))
	}
	// Output:
	// 0.2 0.0
	// 0.3 0.5
	// 5 4.0
	// 100 6.0
}

func ExampleFloat16sToFloat32s() {
	halves := []scalar.Float16{0x3c00, 0xc000, 0x7bff}
	floats := make([]float32, len(halves))
	scalar.Float16sToFloat32s(floats, halves)
	fmt.Println(floats)
	// Output: [1 -2 65504]
}

func ExampleFloat32sToFloat8s() {
	floats := []float32{1, 0.3, -500}
	codes := make([]scalar.Float8E4M3FNUZ, len(floats))
	scalar.Float32sToFloat8s(codes, floats)
	fmt.Println(codes)
	// Output: [1.0 0.3 nan]
}

func ExampleLongDouble() {
	third, _ := scalar.ParseLongDouble("0.33333333333333333333333")
	f, exact := third.Float64()
	fmt.Println(third, f, exact)
	fmt.Println(third.Scientific(21))
	// Output:
	// 0.33333333333333333334 0.3333333333333333 false
	// 3.333333333333333333424e-01
}

func ExampleFloat128() {
	item := []byte{0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0xfb, 0x3f} // of <f16 from aarch64
	x, err := scalar.Float128FromBytes(item, false)
	fmt.Println(x, err)
	fmt.Println(x.Float64())
	// Output:
	// 0.1 <nil>
	// 0.1 false
}

func ExampleInt4() {
	codes := []scalar.Int4{0x7, 0xf, 0xf8}
	fmt.Println(codes, codes[1].Int8(), scalar.Uint4(0xf).Uint8())
	// Output: [7 -1 -8] -1 15
}

func ExampleDatetime64() {
	day := dtype.Step{Num: 1, Unit: dtype.Day}
	t := scalar.Datetime64(18262)
	fmt.Println(t.Format(day))
	fmt.Println(t.Time(day))
	fmt.Println(scalar.Datetime64(scalar.NaT).Format(day))
	// Output:
	// 2020-01-01
	// 2020-01-01 00:00:00 +0000 UTC <nil>
	// NaT
}

func ExampleDatetime64_Civil() {
	step := dtype.Step{Num: 1, Unit: dtype.Hour}
	c, ok := scalar.Datetime64(474815).Civil(step)
	fmt.Println(c.Year, c.Month, c.Day, c.Hour, c.Weekday, ok)
	_, ok = scalar.Datetime64(scalar.NaT).Civil(step)
	fmt.Println(ok)
	// Output:
	// 2024 3 1 23 Friday true
	// false
}

func ExampleParseDatetime64() {
	t, err := scalar.ParseDatetime64("2020-01-01T12:30", dtype.Step{Num: 1, Unit: dtype.Second})
	fmt.Println(int64(t), err)
	_, err = scalar.ParseDatetime64("2020-01-01T12:30", dtype.Step{Num: 1, Unit: dtype.Day})
	fmt.Println(errors.Is(err, scalar.ErrInexact))
	// Output:
	// 1577881800 <nil>
	// true
}

func ExampleDatetime64FromTime() {
	at := time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)
	t, err := scalar.Datetime64FromTime(at, dtype.Step{Num: 25, Unit: dtype.Second})
	fmt.Println(int64(t), err)
	// Output: -1 <nil>
}

func ExampleTimedelta64() {
	step := dtype.Step{Num: 25, Unit: dtype.Second}
	d := scalar.Timedelta64(5)
	fmt.Println(d.Format(step))
	fmt.Println(d.Duration(step))
	// Output:
	// 125 seconds
	// 2m5s <nil>
}

func ExampleAppendFloat64() {
	for _, f := range []float64{1, 1e-7, 1e16, 0.1} {
		fmt.Println(string(scalar.AppendFloat64(nil, f)))
	}
	// Output:
	// 1.0
	// 1e-07
	// 1e+16
	// 0.1
}

func ExampleAppendComplex128() {
	fmt.Println(string(scalar.AppendComplex128(nil, 1.5-2i)))
	// Output: 1.5-2j
}

func ExampleParseLongComplex() {
	c, err := scalar.ParseLongComplex("(0.1-2j)") // as Python prints it
	fmt.Println(c, err)
	fmt.Println(c.Complex128())
	// Output:
	// 0.1-2j <nil>
	// (0.1-2i) false
}

func ExampleParseComplex32() {
	c, err := scalar.ParseComplex32("0.1+nanj")
	fmt.Println(c, err)
	_, err = scalar.ParseComplex32("1-70000j")
	fmt.Println(err)
	// Output:
	// 0.1+nanj <nil>
	// scalar: cannot read "1-70000j" as complex32: value out of range
}

func ExamplePutUCS4() {
	item := make([]byte, 8) // an item of <U2
	fmt.Println(scalar.PutUCS4(item, "é", false), hex.EncodeToString(item))
	text, err := scalar.AppendUCS4(nil, item, false)
	fmt.Println(string(text), err)
	fmt.Println(scalar.PutUCS4(item, "abc", false))
	// Output:
	// <nil> e900000000000000
	// é <nil>
	// scalar: string of 3 code points does not fit U2
}
