package options

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
)

// A Header tells whether the first line of a table holds names.
type Header int

// The values of a Header, in the order of the package convert.
const (
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// Read has the fields of convert.ReadOptions, which documents them.
type Read struct {
	DType      dtype.Type
	Header     Header
	Table      Table
	Fields     func(names []string) []string
	Float128   bool
	Rows       int
	MaxBytes   int64
	MaxRow     int64
	MaxColumns int
	Memory     int64
	Workers    int
	Progress   func(done, total int64)
	Version    format.Version
}

// Default limits of a [Read].
const (
	DefaultMaxText    = 256 << 20
	DefaultMemory     = 32 << 20
	DefaultMaxRow     = 64 << 20
	DefaultMaxColumns = 1 << 20
)

// OrDefault returns the effective limit: 0 is the default, a negative number no limit.
func OrDefault[T int | int64](limit, standard T) T {
	switch {
	case limit == 0:
		return standard
	case limit < 0:
		return T(math.MaxInt)
	}
	return limit
}

// Texts returns how elements are read. Integers may be written as floats with a whole value, as numpy.savetxt does, and as
// a column with missing values does. Numbers too large for a float are infinite, as Python, NumPy and pandas read them.
func (o Read) Texts() elem.Texts {
	return elem.Texts{Float128: o.Float128, Decimals: true, Infinite: true}
}
