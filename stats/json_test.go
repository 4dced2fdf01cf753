package stats_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

// A summary reads back from JSON unchanged, as far as its text tells.
func TestStatsJSON(t *testing.T) {
	for _, text := range []string{"|b1", "<i8", "<u8", "<f8", "<f2", "<c16", "<M8[s]", "<m8[ms]", "<U3", "|S2", "[('x', '<f4'), ('y', '<i2')]"} {
		dt, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, fill := range []byte{0, 0x41, 0xff} {
			a, err := npy.New(dt, 3)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := a.ViewBytes()
			for i := range raw {
				raw[i] = fill
			}
			want, err := stats.Of(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(want)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			var got []stats.Stats
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatalf("%s: %s: %v", text, data, err)
			}
			again, err := json.Marshal(got)
			if err != nil || string(again) != string(data) {
				t.Errorf("%s filled with %#x: %s comes back as %s, %v", text, fill, data, again, err)
			}
			if !got[0].DType.Equal(want[0].DType) || got[0].Min.IsValid() != want[0].Min.IsValid() {
				t.Errorf("%s: %s is %+v", text, data, got[0])
			}
		}
	}
}

func TestValueUnmarshal(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"5", "5"}, {"-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"}, {"1.5", "1.5"}, {"1e300", "1e+300"},
		{`"NaN"`, "nan"}, {`"-Infinity"`, "-inf"}, {`"1-2j"`, "1-2j"}, {`"2024-01-01"`, "2024-01-01"}, {`"\u006aj"`, "jj"}, {"null", ""},
	} {
		var v stats.Value
		if err := json.Unmarshal([]byte(tt.text), &v); err != nil || v.String() != tt.want {
			t.Errorf("%s becomes %q, %v, want %q", tt.text, v, err, tt.want)
		}
	}
	for _, text := range []string{"true", "[]", "{}", "1e999", strings.Repeat("9", 1001)} {
		v := stats.Float(7)
		if err := json.Unmarshal([]byte(text), &v); err == nil || v.Float64() != 7 {
			t.Errorf("%.20s becomes %s, %v, want an error", text, v, err)
		}
	}
}
