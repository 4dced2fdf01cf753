package record_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// Fields of the types of ml_dtypes are void in a file, and are read as the type of the struct's field. bfloat16 is
// little-endian on every machine.
func TestTypesThatFilesDoNotName(t *testing.T) {
	type row struct {
		A [2]scalar.BFloat16
		B scalar.Float8E4M3FN
		C scalar.Float4E2M1FN
		D scalar.Float8E5M2 `npy:"D,<f1"`
		E scalar.Float128   `npy:"E,<f16"`
	}
	want := []row{{A: [2]scalar.BFloat16{0x3f80, 0xc020}, B: 0x38, C: 7, D: 0x3c, E: scalar.Float128FromFloat64(-2.5)}, {B: 0x7f}}
	a, err := record.FromSlice(want)
	if err != nil {
		t.Fatal(err)
	}
	const descr = "[('A', '<V2', (2,)), ('B', '<V1'), ('C', '<V1'), ('D', '<f1'), ('E', '<f16')]"
	if got := a.DType().Descr(); got != descr {
		t.Errorf("dtype %s, want %s", got, descr)
	}
	item := []byte{0x80, 0x3f, 0x20, 0xc0, 0x38, 7, 0x3c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0xc0}
	if got := a.Bytes()[:len(item)]; !bytes.Equal(got, item) {
		t.Errorf("a record is\n% x, want\n% x", got, item)
	}
	var out bytes.Buffer
	if err := record.SaveTo(&out, want); err != nil {
		t.Fatal(err)
	}
	got, _, err := record.Loader[row]{Strict: true}.LoadFrom(&out)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read back %v, %v, want %v", got, err, want)
	}
}
