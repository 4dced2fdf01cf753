package record_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/record"
)

// What NumPy does to get records that are aligned as a struct, or one of their columns.
const numpyRecords = `
import os
os.chdir(%q)
aligned = np.dtype([('ID', '<i4'), ('Value', '<f8'), ('N', '<i2')], align=True)
def packed(): np.load('packed.npy').astype(aligned)
def same(): np.load('aligned.npy')
packed_data = np.load('packed.npy')
def column(): packed_data['Value'].copy()
`

// BenchmarkBesideNumPy has NumPy beside it, doing the same in a process that is already running:
//
//	go test -run '^$' -bench BesideNumPy -count 5 ./record
func BenchmarkBesideNumPy(b *testing.B) {
	dir := b.TempDir()
	rows := make([]row, benchRows)
	for i := range rows {
		rows[i] = row{int32(i), float64(i) / 3, int16(i)}
	}
	for name, o := range map[string]record.Options{"packed": {}, "aligned": {Align: true}} {
		t, err := record.DType[row](o)
		if err != nil {
			b.Fatal(err)
		}
		a, err := record.ArrayAs(t, rows)
		if err != nil {
			b.Fatal(err)
		}
		if err := npy.WriteFile(filepath.Join(dir, name+".npy"), a); err != nil {
			b.Fatal(err)
		}
	}
	a, err := npy.ReadFile(filepath.Join(dir, "packed.npy"))
	if err != nil {
		b.Fatal(err)
	}
	numpy := oracle.NewWorker(b, fmt.Sprintf(numpyRecords, dir))
	load := func(name string) func() error {
		return func() error { _, _, err := record.Load[row](filepath.Join(dir, name+".npy")); return err }
	}
	for _, r := range []struct {
		name  string
		bytes int64
		work  func() error
	}{
		{"packed", 14 * benchRows, load("packed")},
		{"same", 24 * benchRows, load("aligned")},
		{"column", 14 * benchRows, func() error {
			_, err := record.Column[float64](a, "Value")
			return err
		}},
	} {
		b.Run(r.name+"/npy", func(b *testing.B) {
			b.SetBytes(r.bytes)
			for b.Loop() {
				if err := r.work(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(r.name+"/numpy", func(b *testing.B) {
			b.SetBytes(r.bytes)
			for b.Loop() {
				numpy.Call(b, r.name)
			}
		})
	}
}
