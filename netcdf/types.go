package netcdf

import "github.com/npygo/npy/dtype"

// The types of data, NC_BYTE and so on.
const (
	ncByte   = 1
	ncChar   = 2
	ncShort  = 3
	ncInt    = 4
	ncFloat  = 5
	ncDouble = 6
	ncUbyte  = 7
	ncUshort = 8
	ncUint   = 9
	ncInt64  = 10
	ncUint64 = 11
)

// types are the dtypes of data, by type. Types from ncUbyte on need CDF-5.
var types = [...]dtype.Type{
	ncByte: dtype.Int8, ncChar: dtype.Bytes(1), ncShort: dtype.Int16, ncInt: dtype.Int32, ncFloat: dtype.Float32, ncDouble: dtype.Float64,
	ncUbyte: dtype.Uint8, ncUshort: dtype.Uint16, ncUint: dtype.Uint32, ncInt64: dtype.Int64, ncUint64: dtype.Uint64,
}

// The tags of lists in the header.
const (
	tagDimension = 10
	tagVariable  = 11
	tagAttribute = 12
)

// typeOf returns the dtype of a type in big-endian byte order.
func typeOf(nc uint32) (dtype.Type, bool) {
	if nc == 0 || nc >= uint32(len(types)) {
		return dtype.Type{}, false
	}
	return types[nc].WithByteOrder(dtype.BigEndian), true
}

// numberOf returns the type for numbers of a dtype, ncInt64 for int64 for example.
func numberOf(t dtype.Type) (nc uint32, ok bool) {
	for nc := uint32(1); nc < uint32(len(types)); nc++ {
		if nc != ncChar && types[nc].Kind() == t.Kind() && types[nc].ItemSize() == t.ItemSize() {
			return nc, !t.IsStruct() && !t.IsSubarray()
		}
	}
	return 0, false
}
