package typetext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

func TestIdentifiers(t *testing.T) {
	names := []string{"lat", "lat_deg", "sensor id", "2x", "", "整", "é", "type", "it's", "XMLHttp", "INT8_MAX", "__x", "class", "a.b", "_"}
	for _, test := range []struct {
		lang string
		want []string
	}{
		{"go", []string{"Lat", "LatDeg", "SensorID", "X2x", "X", "X整", "É", "Type", "ItS", "XMLHttp", "INT8MAX", "X_2", "Class", "AB", "X_3"}},
		{"c", []string{"lat", "lat_deg", "sensor_id", "x2x", "x", "u6574", "u00e9", "type", "it_s", "XMLHttp", "INT8_MAX_", "x_2", "class_", "a_b", "x_3"}},
		{"rust", []string{"lat", "lat_deg", "sensor_id", "x2x", "x", "u6574", "u00e9", "type_", "it_s", "xmlhttp", "int8_max", "x_2", "class", "a_b", "x_3"}},
	} {
		n := languages[test.lang].names
		u := unique{reserved: n.reserved}
		var got []string
		for _, name := range names {
			got = append(got, u.add(n.fieldName(name)))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q\nwant %q", test.lang, got, test.want)
		}
	}
}

// A name with a number that a field has itself is not handed out twice.
func TestUnique(t *testing.T) {
	u := unique{reserved: func(string) bool { return false }}
	seen := map[string]bool{}
	for _, name := range []string{"x", "x_2", "x", "x", "x_2", "x_3", "x_2_2", "x"} {
		got := u.add(name)
		if seen[got] {
			t.Errorf("%s is handed out twice", got)
		}
		seen[got] = true
	}
}

// The code is not much longer than the dtype, however deep structs with long names are nested.
func TestLengthOfCode(t *testing.T) {
	inner, err := dtype.Struct(-1, dtype.Field{Name: "a", DType: dtype.Int32})
	if err != nil {
		t.Fatal(err)
	}
	var fields []dtype.Field
	for i := range 300 {
		fields = append(fields, dtype.Field{Name: fmt.Sprint("f", i), DType: inner, Offset: 4 * i})
	}
	for depth := range 20 {
		d, err := dtype.Struct(-1, fields...)
		if err != nil {
			t.Fatal(err)
		}
		fields = []dtype.Field{{Name: fmt.Sprint(depth, strings.Repeat("n", 1000)), DType: d}}
	}
	d := fields[0].DType
	for _, lang := range Languages() {
		code, err := Code(lang, Array{Path: "a.npy", DType: d, Shape: []int{2}})
		if err != nil {
			t.Fatal(err)
		}
		if most := 20*len(d.Descr()) + 20000; len(code) > most {
			t.Errorf("%s: %d bytes of code for a descr of %d", lang, len(code), len(d.Descr()))
		}
	}
}
