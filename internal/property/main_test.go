package property_test

import (
	"os"
	"testing"

	"github.com/npygo/npy/internal/property"
)

func TestMain(m *testing.M) { os.Exit(property.Main(m)) }
