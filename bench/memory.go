package main

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/scalar"
)

// memoryRows convert and move elements in memory.
func memoryRows(c *corpus) []*row {
	return []*row{
		c.sliceRow(),
		c.widenHalvesRow(),
		c.narrowRow(),
		c.swappedHalvesRow(),
	}
}

func (c *corpus) sliceRow() *row {
	var a *npy.Array
	rows := c.n / columns
	bytes := int64((rows+1)/2) * ((columns + 2) / 3) * 8
	return &row{
		name: "strided slice", does: "a[::2, ::3] of float64, " + sizeText(c.bytes(8)) + ", gathered in new memory",
		bytes: bytes, fresh: bytes, files: []string{"float64.npy"},
		setup: func() (err error) {
			a, err = npy.ReadFile(c.path("float64.npy"))
			return err
		},
		npy: func() (any, error) {
			part, err := a.Slice(npy.All().By(2), npy.All().By(3))
			if err != nil {
				return nil, err
			}
			return part.Contiguous(), nil
		},
		numpy: "np.ascontiguousarray(a[::2, ::3])", numpySetup: `a = np.load("float64.npy")`,
		limit: memcpy(bytes),
	}
}

func (c *corpus) widenHalvesRow() *row {
	var src []scalar.Float16
	var dst []float32
	return &row{
		name: "float16 to float32", does: "from slice to slice", bytes: c.bytes(4), files: []string{"float16.npy"},
		setup: func() (err error) {
			dst = make([]float32, c.n)
			src, _, err = npy.Load[scalar.Float16](c.path("float16.npy"))
			return err
		},
		npy: func() (any, error) {
			scalar.Float16sToFloat32s(dst, src)
			return dst, nil
		},
		numpy: "np.copyto(dst, src) or dst", numpySetup: "src = np.load('float16.npy')\ndst = np.zeros_like(src, 'f4')",
		limit: memcpy(c.bytes(4)),
	}
}

func (c *corpus) narrowRow() *row {
	var src []float32
	var dst []scalar.Float16
	return &row{
		name: "float32 to float16", does: "from slice to slice, rounded to nearest", bytes: c.bytes(4), files: []string{"float32.npy"},
		setup: func() (err error) {
			dst = make([]scalar.Float16, c.n)
			src, _, err = npy.Load[float32](c.path("float32.npy"))
			return err
		},
		npy: func() (any, error) {
			scalar.Float32sToFloat16s(dst, src)
			return dst, nil
		},
		numpy: "np.copyto(dst, src, casting='unsafe') or dst", numpySetup: "src = np.load('float32.npy')\ndst = np.zeros_like(src, 'f2')",
		limit: memcpy(c.bytes(4)),
	}
}

func (c *corpus) swappedHalvesRow() *row {
	var a *npy.Array
	return &row{
		name: "big-endian float16 to float32", does: "an array in memory as values in new memory",
		bytes: c.bytes(4), fresh: c.bytes(4), files: []string{"float16-big.npy"},
		setup: func() (err error) {
			a, err = npy.ReadFile(c.path("float16-big.npy"))
			return err
		},
		npy: func() (any, error) {
			v, err := npy.As[float32](a)
			if err != nil {
				return nil, err
			}
			data, _ := v.ViewSlice()
			return data, nil
		},
		numpy: "a.astype('=f4')", numpySetup: `a = np.load("float16-big.npy")`,
		limit: memcpy(c.bytes(4)),
	}
}
