package codec

import (
	"fmt"
	"math/bits"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// DTypeOf returns the dtype that holds elements of T, in native byte order. Package npy documents it.
func DTypeOf[T any]() dtype.Type {
	switch any(*new(T)).(type) {
	case bool:
		return dtype.Bool
	case int8:
		return dtype.Int8
	case int16:
		return dtype.Int16
	case int32:
		return dtype.Int32
	case int64:
		return dtype.Int64
	case int:
		return [...]dtype.Type{dtype.Int32, dtype.Int64}[bits.UintSize/64]
	case uint8:
		return dtype.Uint8
	case uint16:
		return dtype.Uint16
	case uint32:
		return dtype.Uint32
	case uint64:
		return dtype.Uint64
	case uint:
		return [...]dtype.Type{dtype.Uint32, dtype.Uint64}[bits.UintSize/64]
	case float32:
		return dtype.Float32
	case float64:
		return dtype.Float64
	case complex64:
		return dtype.Complex64
	case complex128:
		return dtype.Complex128
	case string:
		return dtype.Str(0)
	case []byte:
		return dtype.Bytes(0)
	}
	return scalarType(any(*new(T)))
}

func scalarType(zero any) dtype.Type {
	name := ""
	switch zero.(type) {
	case scalar.Float16:
		return dtype.Float16
	case scalar.LongDouble, scalar.Float128:
		return dtype.LongDouble
	case scalar.LongComplex:
		return dtype.LongComplex
	case scalar.Datetime64:
		return dtype.Datetime64(dtype.Step{})
	case scalar.Timedelta64:
		return dtype.Timedelta64(dtype.Step{})
	case scalar.BFloat16:
		name = "bfloat16"
	case scalar.Float8E5M2:
		name = "float8_e5m2"
	case scalar.Complex32:
		name = "complex32"
	case scalar.Float8E3M4:
		name = "float8_e3m4"
	case scalar.Float8E4M3:
		name = "float8_e4m3"
	case scalar.Float8E4M3FN:
		name = "float8_e4m3fn"
	case scalar.Float8E4M3FNUZ:
		name = "float8_e4m3fnuz"
	case scalar.Float8E4M3B11FNUZ:
		name = "float8_e4m3b11fnuz"
	case scalar.Float8E5M2FNUZ:
		name = "float8_e5m2fnuz"
	case scalar.Float8E8M0FNU:
		name = "float8_e8m0fnu"
	case scalar.Float6E2M3FN:
		name = "float6_e2m3fn"
	case scalar.Float6E3M2FN:
		name = "float6_e3m2fn"
	case scalar.Float4E2M1FN:
		name = "float4_e2m1fn"
	case scalar.Int4:
		name = "int4"
	case scalar.Uint4:
		name = "uint4"
	case scalar.Int2:
		name = "int2"
	case scalar.Uint2:
		name = "uint2"
	}
	t, err := dtype.Parse(name)
	if err != nil {
		panic(fmt.Sprintf("npy: no dtype for %T", zero))
	}
	return t
}
