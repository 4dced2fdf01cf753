package property_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/npygo/npy/internal/property"
)

var page = flag.String("report", "", "the `document` whose section live gets what was compared")

func TestMain(m *testing.M) {
	code := property.Main(m)
	if *page != "" {
		if err := property.WriteLive(*page); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
