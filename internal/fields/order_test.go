package fields

import (
	"testing"

	"github.com/npygo/npy/dtype"
)

func TestNamesOfFields(t *testing.T) {
	const latLon, lonLat = "[('lat', '<f8'), ('lon', '<f8')]", "[('lon', '<f4'), ('lat', '<f8')]"
	for _, c := range []struct {
		from, to    string
		order, same bool
	}{
		{latLon, latLon, true, true},
		{latLon, lonLat, false, false},
		{latLon, "[('x', '<f8'), ('y', '<f8')]", true, false},
		{latLon, "[('lat', '<f8'), ('x', '<f8')]", true, false},
		{latLon, "[('x', '<f8'), ('lat', '<f8')]", false, false},
		{"[('p', " + latLon + ", (2,))]", "[('p', " + lonLat + ", (2,))]", false, false},
		{"[('p', " + latLon + ")]", "[('q', " + lonLat + ")]", false, false},
		{"<f8", "<f4", true, true},
		{latLon, "<f4", true, true}, // which the conversion refuses
		{latLon, "[('lat', '<f8')]", true, false},
	} {
		from, err := dtype.Parse(c.from)
		to, err2 := dtype.Parse(c.to)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if err := CheckOrder(from, to); (err == nil) != c.order {
			t.Errorf("CheckOrder(%s, %s): %v", from, to, err)
		}
		if err := CheckNames(from, to); (err == nil) != c.same {
			t.Errorf("CheckNames(%s, %s): %v", from, to, err)
		}
	}
}
