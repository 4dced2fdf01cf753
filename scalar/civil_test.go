package scalar

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
)

// The parts of a time agree with its text, and with time.Time where there is one.
func TestCivil(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, step := range everyStep() {
		if step.Unit == dtype.Generic {
			continue
		}
		for _, v := range append(someTicks(rng, step, 200, true), 0, 1, -1, math.MaxInt64, math.MinInt64+1) {
			x := Datetime64(v)
			c, ok := x.Civil(step)
			if !ok {
				if v != NaT {
					t.Fatalf("%d in %v has no parts", v, step)
				}
				continue
			}
			if got, want := civilText(c), civilPrefix(x, step); len(want) > 0 && got[:len(want)] != want {
				t.Fatalf("%d in %v is %s, want %s", v, step, got, want)
			}
			at := instantOf(mulInt64(v, int64(step.Num)), step.Unit)
			if sec, ok := at.sec.int64(); ok && sec > minTimeSec && sec < maxTimeSec {
				clock := time.Unix(sec, 0).UTC()
				want := CivilTime{float64(clock.Year()), int(clock.Month()), clock.Day(), clock.Hour(), clock.Minute(), clock.Second(), int64(at.atto), clock.Weekday()}
				if math.MaxInt > math.MaxInt32 && c != want {
					t.Fatalf("%d in %v is %+v, want %+v", v, step, c, want)
				}
			}
		}
	}
	for _, step := range []dtype.Step{{}, {Num: 0, Unit: dtype.Day}, {Num: -1, Unit: dtype.Day}, {Num: 1, Unit: 99}} {
		if _, ok := Datetime64(5).Civil(step); ok {
			t.Errorf("a time of the step %+v has parts", step)
		}
	}
}

func civilText(c CivilTime) string {
	return fmt.Sprintf("%05d-%02d-%02dT%02d:%02d:%02d.%018d", int64(c.Year), c.Month, c.Day, c.Hour, c.Minute, c.Second, c.Attosecond)
}

// civilPrefix returns the text of a time with a year of five characters at least, or "" if float64 has not the year.
func civilPrefix(x Datetime64, step dtype.Step) string {
	text := x.Format(step)
	var year int64
	if _, err := fmt.Sscanf(text, "%d", &year); err != nil || year > 1<<53 || year < -1<<53 {
		return ""
	}
	i := 1
	for i < len(text) && text[i] != '-' {
		i++
	}
	return fmt.Sprintf("%05d%s", year, text[i:])
}

// Years become the nearest float64.
func TestInt128Float64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for range 20000 {
		x := int128{int64(rng.Uint64()) >> rng.IntN(65), rng.Uint64() >> rng.IntN(64) << rng.IntN(64)}
		if x.hi == math.MinInt64 {
			continue
		}
		exact := new(big.Int).Lsh(big.NewInt(x.hi), 64)
		exact.Add(exact, new(big.Int).SetUint64(x.lo))
		if want, _ := new(big.Float).SetInt(exact).Float64(); x.float64() != want {
			t.Fatalf("%v is %g, want %g", exact, x.float64(), want)
		}
	}
}
