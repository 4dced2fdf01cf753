package property_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
)

// Every way to read a part of an array gives the result of NumPy's subscripts, or an error where NumPy gives one.
func TestSlicesBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "slices", Cases: 1000, Case: newSlices}, differences)
}

// A slicesCase is an array and subscripts.
type slicesCase struct {
	A        *p.Array `json:"a"`
	Index    string   `json:"index"` // in brackets
	Savez    string   `json:"savez,omitempty"`
	Deflated string   `json:"deflated,omitempty"`

	options npy.ReadOptions
	memory  int64
	command bool
	archive bool
}

func newSlices(g *p.G, e *p.Env) *p.Case {
	most := p.Pick(g, 30, 30, 30, 300, 3000)
	if g.Chance(2) {
		most = 300_000
	}
	c := &slicesCase{A: g.Array(p.All&^p.Small, most, p.Invalid|p.NaNBits|p.FarTimes|p.Surrogate)}
	c.Index = g.Subscripts(c.A.DType.Type, c.A.Shape())
	c.options = npy.ReadOptions{Gap: p.Pick(g, int64(0), -1, 1, 64, 1<<20), Workers: p.Pick(g, 0, 1, 3)}
	c.memory = p.Pick(g, int64(0), 1, 100, 5000)
	c.command, c.archive = g.Chance(5), g.Chance(30)
	k := &p.Case{Ask: c, Facts: c, Text: func() string { return c.A.String() + c.Index }, Check: c.check}
	if c.archive && g.Chance(30) {
		c.Savez, c.Deflated = e.Path("np.npz"), e.Path("npc.npz")
		k.Files = []string{c.Savez, c.Deflated}
	}
	return k
}

func (c *slicesCase) check(r *p.Report, a oracle.Answer) {
	index, err := npy.ParseIndex(c.Index)
	if err != nil {
		r.True("ParseIndex", a.Error != "", err.Error(), string(a.Value))
		return
	}
	same := func(what string, read func() (*npy.Array, error)) {
		x, err := read()
		r.SameArray(what, x, err, a)
	}
	same("Array.Slice", func() (*npy.Array, error) { return c.A.Slice(index...) })
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	c.ofFile(same, path, index)
	if c.archive {
		c.ofArchive(r, same, index)
	}
	if c.command {
		c.ofCommand(r, same, path)
	}
}

// read is one way to read the part.
type read = func(what string, read func() (*npy.Array, error))

// ofFile reads parts of an .npy file.
func (c *slicesCase) ofFile(same read, path string, index []npy.Index) {
	data := must(os.ReadFile(path))
	f := must(npy.Decoder{ReadOptions: c.options}.Open(path))
	defer f.Close()
	same("File.Slice", func() (*npy.Array, error) { return f.Slice(index...) })
	same("ReadFile, Slice", func() (*npy.Array, error) { return must(npy.ReadFile(path)).Slice(index...) })
	same("OpenReaderAt", func() (*npy.Array, error) {
		return must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data)))).Slice(index...)
	})
	h := f.Header()
	same("Part.Read", func() (*npy.Array, error) {
		part, err := npy.SelectionOf(h, index...)
		if err != nil {
			return nil, err
		}
		return part.Read(context.Background(), bytes.NewReader(data), h.DataOffset, c.options)
	})
	same("Part.Array", func() (*npy.Array, error) {
		part, err := npy.SelectionOf(h)
		for i := 0; i < len(index) && err == nil; i++ { // the same in several steps, if there are several names
			next := i + 1
			if len(index) == len(h.Shape) || !h.DType.IsStruct() {
				next = len(index)
			}
			if next < len(index) {
				part, err = npy.SelectionOf(h, index...)
				break
			}
			part, err = part.Slice(index[i:next]...)
			i = next - 1
		}
		if err != nil {
			return nil, err
		}
		return part.Array(data[h.DataOffset:][part.Start:part.End])
	})
	same("Blocks", func() (*npy.Array, error) { return c.blocks(f, index) })
	same("mmap", func() (*npy.Array, error) {
		m := must(mmap.Open(path))
		defer m.Close()
		var out *npy.Array
		err := m.Do(func(a *npy.Array) error {
			part, err := a.Slice(index...)
			if err == nil {
				out = part.Clone()
			}
			return err
		})
		return out, err
	})
}

// blocks puts the blocks of a part together.
func (c *slicesCase) blocks(f *npy.File, index []npy.Index) (*npy.Array, error) {
	part, err := f.Select(index...)
	if err != nil {
		return nil, err
	}
	data := []byte{}
	for b, err := range part.Blocks(context.Background(), c.memory) {
		if err != nil {
			return nil, err
		}
		data = append(data, b.Bytes()...)
	}
	return npy.FromBytes(part.DType(), data, part.Shape()...)
}

// ofArchive reads parts of members of archives, both ours and NumPy's.
func (c *slicesCase) ofArchive(r *p.Report, same read, index []npy.Index) {
	dir := r.Path("archives")
	if err := os.Mkdir(dir, 0o777); err != nil {
		panic(err)
	}
	archives := map[string]string{"np.savez": c.Savez, "np.savez_compressed": c.Deflated}
	for name, e := range map[string]npz.Encoder{"npz stored": {Store: true}, "npz deflated": {}, "npz zstd": {Zstd: true}} {
		path := filepath.Join(dir, name)
		if err := e.Save(path, npz.Member{Name: "first", Array: must(npy.FromSlice([]int8{1}))}, npz.Member{Name: "x", Array: c.A.Array}); err != nil {
			panic(err)
		}
		archives[name] = path
	}
	for name, path := range archives {
		if path == "" {
			continue
		}
		z := must(npz.Open(path))
		same(name, func() (*npy.Array, error) { return z.Slice("x", index...) })
		if name == "npz stored" {
			same("npz mapped", func() (*npy.Array, error) { return mapped(z, index) })
		} else if c.memory == 1 && name != "npz zstd" {
			if err := z.BuildIndex("x"); err != nil {
				panic(err)
			}
			same(name+" with index", func() (*npy.Array, error) { return z.Slice("x", index...) })
		}
		if err := z.Close(); err != nil {
			panic(err)
		}
	}
}

// mapped reads a part of a mapped member.
func mapped(z *npz.Reader, index []npy.Index) (out *npy.Array, err error) {
	m := must(z.Map("x"))
	defer m.Close()
	err = m.Do(func(a *npy.Array) error {
		part, err := a.Slice(index...)
		if err == nil {
			out = part.Clone()
		}
		return err
	})
	return out, err
}

// ofCommand has the command read parts: named after the file, by a flag, of standard input, of a member.
func (c *slicesCase) ofCommand(r *p.Report, same read, path string) {
	out := r.Path("out.npy")
	convert := func(stdin string, args ...string) (*npy.Array, error) {
		if err := p.NpyFrom("", stdin, append([]string{"convert"}, args...)...).Err(); err != nil {
			return nil, err
		}
		return npy.ReadFile(out)
	}
	same("command", func() (*npy.Array, error) { return convert("", path+c.Index, out) })
	same("command --slice", func() (*npy.Array, error) { return convert("", "--slice", c.Index, path, out) })
	same("command, stdin", func() (*npy.Array, error) {
		return convert(string(must(os.ReadFile(path))), "--slice", c.Index, "-", out)
	})
	archive := r.Path("a.npz")
	if err := npz.Save(archive, npz.Member{Name: "x", Array: c.A.Array}); err != nil {
		panic(err)
	}
	same("command, member", func() (*npy.Array, error) { return convert("", fmt.Sprintf("%s:x%s", archive, c.Index), out) })
}
