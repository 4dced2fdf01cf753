package options

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// Write has the fields of convert.WriteOptions, which documents them.
type Write struct {
	NoHeader       bool
	EscapeFormulas bool
	Lines          *Lines
	DType          dtype.Type
	Float128       bool
	MaxDepth       int
	MaxShared      int64
	NaN            NaN
	Units          bool
	Memory         int64
	Workers        int
	Progress       func(done, total int64)
	Note           func(text string)
	Sync           bool
}

// A NaN tells how JSON writes NaN and NaT.
type NaN int

// The values of a NaN, in the order of the package convert.
const (
	NaNAuto NaN = iota
	NaNNull
	NaNWord
)

// Texts returns how elements are written.
func (o Write) Texts() elem.Texts { return elem.Texts{Float128: o.Float128, Units: o.Units} }

// BlockMemory returns the part of Memory for blocks. The rest is for the program itself, and for the blocks of a first reading,
// which may wait for the garbage collector while a table is read again.
func (o Write) BlockMemory() int64 {
	const standard, least, reserved = 256 << 20, 32 << 20, 26 << 20
	memory := o.Memory
	if memory <= 0 {
		memory = standard
	}
	memory = max(memory, least)
	return max(memory-reserved, memory/4) / 2
}
