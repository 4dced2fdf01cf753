package scalar

import "strings"

// isNaTText reports whether NumPy reads s as NaT.
func isNaTText(s string) bool { return s == "" || strings.EqualFold(s, "nat") }

// A dateParser parses an ISO 8601 text. If a method fails, pos is at the invalid byte.
type dateParser struct {
	text string
	pos  int
	far  int // the position of the digit from which on the year is beyond 128 bits of seconds; 0 if there is none
}

// maxYearDigits bounds the year: longer than any year of a datetime64, short enough for 128 bits of
// seconds.
const maxYearDigits = 30

func (p *dateParser) parse() (instant, error) {
	at, err := p.moment()
	if err == nil && p.far > 0 {
		p.pos, err = p.far, ErrRange
	}
	return at, err
}

func (p *dateParser) moment() (instant, error) {
	p.skipSpace()
	d := date{month: 1, day: 1}
	var err error
	if d.year, err = p.year(); err != nil || p.end() {
		return d.instant(), err
	}
	if d.month, err = p.field("-", "month", 1, 12); err != nil || p.end() {
		return d.instant(), err
	}
	if d.day, err = p.field("-", "day", 1, d.daysIn()); err != nil || p.end() {
		return d.instant(), err
	}
	at := d.instant()
	err = p.clock(&at)
	return at, err
}

// clock reads the time of day and any text that may follow it, and advances at by it.
func (p *dateParser) clock(at *instant) error {
	hour, err := p.field("T ", "hour", 0, 23)
	if err != nil {
		return err
	}
	var minute, second int
	if p.peek(':') {
		if minute, err = p.field(":", "minute", 0, 59); err != nil {
			return err
		}
		if p.peek(':') {
			if second, err = p.field(":", "second", 0, 59); err != nil {
				return err
			}
			at.atto = p.fraction()
		}
	}
	at.sec = at.sec.addInt(int64(hour*3600 + minute*60 + second))
	return p.tail(at)
}

// tail accepts Z or an offset from UTC, and white space up to the end. A local time becomes UTC.
func (p *dateParser) tail(at *instant) error {
	switch {
	case p.peek('Z'):
		p.pos++
	case p.peek('+'), p.peek('-'):
		minutes, err := p.offset()
		if err != nil {
			return err
		}
		at.sec = at.sec.addInt(int64(-60 * minutes))
	}
	p.skipSpace()
	if !p.end() {
		return ErrSyntax
	}
	return nil
}

// offset reads a sign, hours and optionally minutes, and returns all in minutes.
func (p *dateParser) offset() (int, error) {
	minus := p.peek('-')
	hours, err := p.field("+-", "hour of an offset", 0, 23)
	minutes := 60 * hours
	if err == nil && !p.end() {
		if p.peek(':') {
			p.pos++
		}
		var m int
		m, err = p.digits("minute of an offset", 0, 59)
		minutes += m
	}
	if minus {
		minutes = -minutes
	}
	return minutes, err
}

func (p *dateParser) end() bool { return p.pos == len(p.text) }

func (p *dateParser) peek(c byte) bool { return p.pos < len(p.text) && p.text[p.pos] == c }

func (p *dateParser) digit() bool {
	return p.pos < len(p.text) && p.text[p.pos]-'0' <= 9
}

// skipSpace skips the white space of C's isspace.
func (p *dateParser) skipSpace() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\v\f\r", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// year reads an optional sign and one or more digits. A year that is too far for 128 bits of seconds sets far, and becomes
// another with the same months.
func (p *dateParser) year() (int128, error) {
	neg := p.peek('-')
	if neg || p.peek('+') {
		p.pos++
	}
	start := p.pos
	for p.peek('0') {
		p.pos++
	}
	var y int128
	for n := 0; p.digit(); n++ {
		if n >= maxYearDigits {
			if n == maxYearDigits {
				p.far = p.pos
			}
			_, r := y.divFloor(400)
			y = wide(int64(r))
		}
		y, _ = y.mul(10)
		y = y.addInt(int64(p.text[p.pos] - '0'))
		p.pos++
	}
	if p.pos == start {
		return y, ErrSyntax
	}
	if neg {
		y = y.neg()
	}
	return y, nil
}

// field reads a separator and two digits that make a number from lo to hi.
func (p *dateParser) field(separators, name string, lo, hi int) (int, error) {
	if p.end() || strings.IndexByte(separators, p.text[p.pos]) < 0 {
		return 0, ErrSyntax
	}
	p.pos++
	return p.digits(name, lo, hi)
}

// digits reads two digits that make a number from lo to hi.
func (p *dateParser) digits(name string, lo, hi int) (int, error) {
	start, v := p.pos, 0
	for range 2 {
		if !p.digit() {
			return 0, ErrSyntax
		}
		v = v*10 + int(p.text[p.pos]-'0')
		p.pos++
	}
	if v < lo || v > hi {
		p.pos = start
		return 0, &dateError{name, v, lo, hi}
	}
	return v, nil
}

// fraction reads a point and up to 18 digits, if there is a point, as attoseconds. No digit at all is
// zero, as in NumPy.
func (p *dateParser) fraction() uint64 {
	if !p.peek('.') {
		return 0
	}
	p.pos++
	var v uint64
	for range 18 {
		v *= 10
		if p.digit() {
			v += uint64(p.text[p.pos] - '0')
			p.pos++
		}
	}
	return v
}
