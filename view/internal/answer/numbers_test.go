package answer

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/stats"
)

// The page names statistics as 'npy stats --json' does. It adds the number of finite elements.
func TestSummaryKeys(t *testing.T) {
	known := append(jsonKeys(reflect.TypeFor[stats.Report]()), "finite")
	for _, key := range jsonKeys(reflect.TypeFor[summary]()) {
		if !slices.Contains(known, key) {
			t.Errorf("the page has %q, which stats.Report has not", key)
		}
	}
}

func jsonKeys(t reflect.Type) (keys []string) {
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys = append(keys, key)
	}
	return keys
}
