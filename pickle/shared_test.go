package pickle

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

// An int is written in each place where it is used, as in Python's pickles; MaxShared limits the bytes of these
// repetitions.
func TestEncodeSharedInts(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 8*1100)
	many := &List{}
	for range 2000 {
		many.Items = append(many.Items, large)
	}
	if b, err := (&Encoder{}).Append(nil, many); err != nil || len(b) < 2000*1100 {
		t.Errorf("ints of 1100 bytes: %d bytes, %v", len(b), err)
	}
	for _, limit := range []int64{1 << 10, 1 << 20} {
		_, err := (&Encoder{MaxShared: limit}).Append(nil, many)
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "over MaxShared") {
			t.Errorf("with MaxShared %d: error %v", limit, err)
		}
	}
	if _, err := (&Encoder{MaxShared: -1}).Append(nil, many); err != nil {
		t.Errorf("without a limit: error %v", err)
	}
	short := new(big.Int).Lsh(big.NewInt(1), 8*1000)
	for i := range many.Items {
		many.Items[i] = short
	}
	if _, err := (&Encoder{MaxShared: 1 << 10}).Append(nil, many); err != nil {
		t.Errorf("ints of 1000 bytes: error %v", err)
	}
}

// MaxShared of a Decoder counts keys and arguments in excess of 64 bytes for each byte of the pickle.
func TestDecodeShared(t *testing.T) {
	key := strings.Repeat("k", 30000)
	var b strings.Builder
	b.WriteString("\x80\x03](X\x30\x75\x00\x00" + key + "q\x00")
	for range 1000 {
		b.WriteString("}h\x00Ns")
	}
	b.WriteString("e.")
	data := []byte(b.String())
	for _, tt := range []struct {
		limit int64
		ok    bool
	}{{0, true}, {1 << 10, false}, {32 << 20, true}, {-1, true}} {
		_, _, err := Decoder{MaxShared: tt.limit}.DecodeBytes(data)
		if tt.ok && err != nil || !tt.ok && (!errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "over MaxShared 1024")) {
			t.Errorf("with MaxShared %d: error %v", tt.limit, err)
		}
	}
}

// Begin gives hooks a function to charge for the bytes that they copy.
func TestDecodeBegin(t *testing.T) {
	var charge func(n int64) error
	d := Decoder{
		MaxShared: 1 << 10,
		Begin:     func(f func(n int64) error) { charge = f },
		Construct: func(o *Object) (any, bool, error) { return nil, false, charge(1 << 20) },
	}
	if _, _, err := d.DecodeBytes([]byte("\x80\x03cmod\nname\n)R.")); !errors.Is(err, ErrLimit) {
		t.Errorf("a hook that charges a megabyte: error %v", err)
	}
}
