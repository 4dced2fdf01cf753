package pickle

import "strconv"

// numbers prints numbers with commas between.
func (r *repr) numbers(open string, numbers ...int) {
	for _, n := range numbers {
		r.text(open)
		r.dst = strconv.AppendInt(r.dst, int64(n), 10)
		open = ", "
	}
}

// seconds prints seconds and microseconds, without trailing zero parts.
func (r *repr) seconds(second, microsecond int) {
	switch {
	case microsecond != 0:
		r.numbers(", ", second, microsecond)
	case second != 0:
		r.numbers(", ", second)
	}
}

// fold prints the fold, if it is not 0.
func (r *repr) fold(fold int) {
	if fold != 0 {
		r.numbers(", fold=", fold)
	}
}

// zone prints the tzinfo, if there is one.
func (r *repr) zone(tz any) {
	if tz != nil {
		r.text(", tzinfo=")
		r.value(tz)
	}
}

func (r *repr) timedelta(v *Timedelta) {
	r.text("datetime.timedelta(")
	separator := ""
	for _, part := range []struct {
		name  string
		value int
	}{{"days=", v.Days}, {"seconds=", v.Seconds}, {"microseconds=", v.Microseconds}} {
		if part.value != 0 {
			r.numbers(separator+part.name, part.value)
			separator = ", "
		}
	}
	if separator == "" {
		r.text("0")
	}
	r.text(")")
}

// datetime prints a datetime. Fold comes before tzinfo here, and after it in a time.
func (r *repr) datetime(v *Datetime) {
	r.numbers("datetime.datetime(", v.Year, v.Month, v.Day, v.Hour, v.Minute)
	r.seconds(v.Second, v.Microsecond)
	r.fold(v.Fold)
	r.zone(v.TZ)
	r.text(")")
}

func (r *repr) clock(v *Time) {
	r.numbers("datetime.time(", v.Hour, v.Minute)
	r.seconds(v.Second, v.Microsecond)
	r.zone(v.TZ)
	r.fold(v.Fold)
	r.text(")")
}

func (r *repr) timeZone(v *TimeZone) {
	if v.Name == nil && v.Offset != nil && v.Offset.Days == 0 && v.Offset.Seconds == 0 && v.Offset.Microseconds == 0 {
		r.text("datetime.timezone.utc")
		return
	}
	r.text("datetime.timezone(")
	r.value(v.Offset)
	if v.Name != nil {
		r.text(", ")
		r.value(v.Name)
	}
	r.text(")")
}
