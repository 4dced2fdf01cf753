package charts

import (
	"math"
	"strconv"
	"strings"
)

// A tick is a marked number on an axis. Ticks without a label are between the others on a log axis.
type tick struct {
	at    float64
	label string
}

// ticks chooses about n round numbers.
func (a axis) ticks(n int) []tick {
	switch {
	case a.time:
		return a.timeTicks(n)
	case a.log && a.high/a.low >= 100:
		return a.decadeTicks(n)
	case a.log && a.high/a.low >= 8:
		return a.digitTicks(n)
	}
	return a.evenTicks(n)
}

// evenTicks returns multiples of 1, 2 or 5 times a power of ten.
func (a axis) evenTicks(n int) []tick {
	step := evenStep(a.high/float64(n) - a.low/float64(n))
	if a.whole {
		step = max(step, 1)
	}
	var ticks []tick
	for _, x := range a.multiples(step) {
		ticks = append(ticks, tick{x, numberLabel(x, step, max(math.Abs(a.low), math.Abs(a.high)))})
	}
	return ticks
}

// multiples returns the multiples of step on the axis, without repetitions if step is too small for the numbers.
func (a axis) multiples(step float64) (all []float64) {
	for i := math.Ceil(a.low/step - 1e-9); i*step-a.high <= step*1e-9 && i+1 > i; i++ {
		if n := len(all); n == 0 || i*step > all[n-1] {
			all = append(all, i*step)
		}
	}
	return all
}

// evenStep returns the least of 1, 2, 5, 10, … that is at least x.
func evenStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= x*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

const (
	plainMax = 1e7 // numbers on an axis that are written without an exponent: less than this
	plainMin = 1e-3
)

// numberLabel formats a multiple of step with as many digits as step has, and thousands in groups. It uses an exponent
// if the largest number on the axis has too many digits.
func numberLabel(x, step, largest float64) string {
	if math.Abs(x) < step/2 {
		return "0"
	}
	digits := int(math.Floor(math.Log10(step) + 1e-9))
	if largest >= plainMax || largest < plainMin {
		return exponentLabel(x, max(int(math.Floor(math.Log10(math.Abs(x))+1e-9))-digits, 0))
	}
	return grouped(strconv.FormatFloat(x, 'f', max(-digits, 0), 64), largest)
}

// exponentLabel formats a number as 1.5e6 or 2e-9.
func exponentLabel(x float64, digits int) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return mantissa + "e" + strconv.Itoa(n)
}

// grouped separates the thousands of a number on an axis on which some have five digits: 12,000, but 2024.
func grouped(s string, largest float64) string {
	digits, fraction, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if largest >= 10_000 {
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + digits + fraction
}

// minorDecades is the number of decades up to which a log axis has ticks between them.
const minorDecades = 8

// decadeTicks returns every power of ten, or every step-th one. Between few of them are ticks without labels.
func (a axis) decadeTicks(n int) []tick {
	first, last := math.Ceil(math.Log10(a.low)-1e-9), math.Floor(math.Log10(a.high)+1e-9)
	step := max(math.Ceil((last-first)/float64(n)), 1)
	var ticks []tick
	for i := first - 1; i <= last; i += step {
		x := math.Pow(10, i)
		if i >= first {
			ticks = append(ticks, tick{x, decadeLabel(i, a.high)})
		} else if step > 1 {
			i = first - step
		}
		for digit := 2.0; digit < 10 && step == 1 && last-first <= minorDecades; digit++ {
			if digit*x >= a.low && digit*x <= a.high {
				ticks = append(ticks, tick{at: digit * x})
			}
		}
	}
	return ticks
}

func decadeLabel(i, largest float64) string {
	if -3 <= i && i < 7 {
		return grouped(strconv.FormatFloat(math.Pow(10, i), 'f', -1, 64), largest)
	}
	return "1e" + strconv.Itoa(int(i))
}

// digitTicks returns 1, 2 and 5 times powers of ten on a log axis of about one decade, and the other digits without
// labels.
func (a axis) digitTicks(int) []tick {
	var ticks []tick
	for i := math.Floor(math.Log10(a.low) + 1e-9); i <= math.Log10(a.high)+1e-9; i++ {
		step := math.Pow(10, i)
		for digit := 1.0; digit < 10; digit++ {
			x := digit * step
			if x < a.low*(1-1e-9) || x > a.high*(1+1e-9) {
				continue
			}
			label := ""
			if digit == 1 || digit == 2 || digit == 5 {
				label = numberLabel(x, step, a.high)
			}
			ticks = append(ticks, tick{x, label})
		}
	}
	return ticks
}
