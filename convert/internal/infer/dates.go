package infer

import (
	"errors"
	"strings"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/jsontext"
)

// A dates collects the dates of a column that are not ISO 8601, and whose order of day and month must be known.
type dates struct {
	first    Culprit // the first of them
	notDay   Culprit // the first that is none with the day first
	notMonth Culprit // the first that is none with the month first
}

// merge adds the observations of later text.
func (d *dates) merge(later *dates) {
	d.first.merge(later.first)
	d.notDay.merge(later.notDay)
	d.notMonth.merge(later.notMonth)
}

// check returns an error unless the order of all dates is known.
func (d *dates) check(known options.Dates) (Culprit, error) {
	switch {
	case d.first.Text == "" || known != options.DatesAuto:
	case d.notDay.Text != "" && d.notMonth.Text != "":
		return d.notMonth, errors.New("other dates have the month first")
	case d.notDay.Text == "" && d.notMonth.Text == "":
		return d.first, ErrDates
	}
	return Culprit{}, nil
}

// ErrDates says that the order of day and month in the dates of a column is not known.
var ErrDates = errors.New("day or month may be first")

// DateOrder returns the order of day and month in the dates of the column, once all cells have been observed.
func (g *Guess) DateOrder(v *Cells) options.Dates {
	switch {
	case v.dates != options.DatesAuto || g.first.Text == "":
		return v.dates
	case g.notDay.Text != "":
		return options.MonthFirst
	}
	return options.DayFirst
}

// observeDate adds a cell that is neither a number nor a time of ISO 8601. It returns the unit if the cell is a date in another
// order.
func (g *Guess) observeDate(text string, line int, v *Cells) (dtype.Unit, bool) {
	if c := text[0]; c < '0' || c > '9' {
		return 0, false
	}
	var units [options.MonthFirst + 1]dtype.Unit
	var is [options.MonthFirst + 1]bool
	for order := options.DayFirst; order <= options.MonthFirst; order++ {
		if v.dates == options.DatesAuto || v.dates == order {
			var iso string
			if iso, is[order] = ISODate(text, order); is[order] {
				units[order], is[order] = TimeUnit(iso)
			}
		}
	}
	day, month := is[options.DayFirst], is[options.MonthFirst]
	if !day && !month {
		return 0, false
	}
	if jsontext.Digits(text) <= 2 {
		here := Culprit{strings.Clone(text), line}
		g.first.merge(here)
		if !day {
			g.notDay.merge(here)
		}
		if !month {
			g.notMonth.merge(here)
		}
	}
	return max(units[options.DayFirst], units[options.MonthFirst]), true
}

// ISODate returns a date of two numbers and a year of four digits, perhaps with a time of day, as ISO 8601 writes it: 31.12.2024
// 9:05 is 2024-12-31T09:05. The year may be first, and then the order is known: 2024/12/31. It reports false for other text. The
// numbers may be out of range.
func ISODate(text string, order options.Dates) (string, bool) {
	var parts [3]string
	rest := text
	separator := byte(0)
	for i := range parts {
		n := jsontext.Digits(rest)
		parts[i], rest = rest[:n], rest[n:]
		if i == 2 {
			break
		}
		if rest == "" || i == 0 && strings.IndexByte("./-", rest[0]) < 0 || i == 1 && rest[0] != separator {
			return text, false
		}
		separator, rest = rest[0], rest[1:]
	}
	year, month, day := parts[2], parts[1], parts[0]
	switch {
	case len(parts[0]) == 4 && separator != '-':
		year, month, day = parts[0], parts[1], parts[2]
	case order == options.MonthFirst:
		month, day = parts[0], parts[1]
	case order != options.DayFirst:
		return text, false
	}
	if len(year) != 4 || !isShort(month) || !isShort(day) {
		return text, false
	}
	iso := year + "-" + twoDigits(month) + "-" + twoDigits(day)
	if rest == "" {
		return iso, true
	}
	clock := strings.TrimLeft(rest[1:], " ")
	if rest[0] != ' ' && rest[0] != 'T' || !isShort(clock[:jsontext.Digits(clock)]) {
		return text, false
	}
	if jsontext.Digits(clock) == 1 {
		clock = "0" + clock
	}
	return iso + "T" + clock, true
}

// isShort reports whether a number has one or two digits.
func isShort(digits string) bool { return len(digits) == 1 || len(digits) == 2 }

func twoDigits(digits string) string { return "00"[len(digits):] + digits }
