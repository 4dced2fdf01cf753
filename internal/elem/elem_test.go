package elem_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/scalar"
)

func mustParse(t testing.TB, text string) dtype.Type {
	t.Helper()
	d, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// codecOf returns both directions for a descr; a trailing "quad" means binary128 long doubles.
func codecOf(t testing.TB, descr string) (dtype.Type, elem.FormatFunc, elem.ParseFunc) {
	t.Helper()
	d := mustParse(t, strings.TrimSuffix(descr, " quad"))
	x := elem.Texts{Float128: strings.HasSuffix(descr, " quad")}
	format, err := x.Formatter(d)
	if err != nil {
		t.Fatal(err)
	}
	parse, err := x.Parser(d)
	if err != nil {
		t.Fatal(err)
	}
	return d, format, parse
}

// Each text is read and written again; want is the output, or empty for the text itself.
func TestRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		descr string
		texts []string
		want  string
	}{
		{"?", []string{"true", "True", "TRUE", "1"}, "true"},
		{"?", []string{"false", "False", "FALSE", "0"}, "false"},
		{"i1", []string{"-128", "0", "127"}, ""},
		{"<i2", []string{"-32768", "32767"}, ""},
		{">i2", []string{"-32768", "32767"}, ""},
		{"<i4", []string{"-2147483648", "2147483647"}, ""},
		{">i8", []string{"-9223372036854775808", "9223372036854775807"}, ""},
		{"i4", []string{"7", "+7", "007"}, "7"},
		{"u1", []string{"0", "255"}, ""},
		{"u4", []string{"7", "+7", "007"}, "7"},
		{">u2", []string{"65535"}, ""},
		{"<u8", []string{"18446744073709551615"}, ""},
		{"<f8", []string{"1.0", "-0.0", "0.1", "1e-07", "1e+16", "5e-324", "1.7976931348623157e+308", "inf", "-inf", "nan"}, ""},
		{">f8", []string{"1.0", "0.1", "-inf", "nan"}, ""},
		{"f8", []string{"nan", "NaN", "-nan", "+NAN", ""}, "nan"},
		{"f8", []string{"inf", "Infinity", "+inf"}, "inf"},
		{"f8", []string{"0.1", ".1", "1e-1", "0.1000000000000000055511151231257827"}, "0.1"},
		{"f8", []string{"0.0", "1e-999999"}, "0.0"},
		{"<f4", []string{"0.1", "3.4028235e+38", "1e-45", "-inf", "nan", "999999.94", "1.6777216e+07"}, ""},
		{">f4", []string{"0.1", "0.25"}, ""},
		{"f4", []string{"0.3", "0.30000001192092896"}, "0.3"},
		{"<f2", []string{"0.1", "999.5", "6.55e+04", "6e-08", "inf", "nan"}, ""},
		{">f2", []string{"0.1", "6.55e+04"}, ""},
		{"f2", []string{"nan", ""}, "nan"},
		{"float8_e5m2", []string{"1.0", "60000.0", "nan"}, ""},
		{"<f16", []string{"0.1", "1.189731495357231765e+4932", "nan", "-inf", "0.1000000000000000055"}, ""},
		{">f16", []string{"0.1", "nan"}, ""},
		{"<f16 quad", []string{"0.1", "1.189731495357231765085759326628007e+4932", "6e-4966", "nan", "-inf", "0.0", "-1.0"}, ""},
		{">f16 quad", []string{"0.1", "0.3333333333333333333333333333333333", "nan"}, ""},
		{"<f16 quad", []string{"nan", ""}, "nan"},
		{"<f12 quad", []string{"0.1", "1e-4950"}, ""},
		{"<c32 quad", []string{"0.1-2j", "0.3333333333333333333333333333333333+1e-4960j", "-0-0j", "infj"}, ""},
		{"<f12", []string{"0.1", "nan"}, ""},
		{"bfloat16", []string{"0.1", "1.0", "nan", "3.39e+38"}, ""},
		{"<c16", []string{"1.5-2j", "2j", "-0-5e-324j", "1+nanj", "nan-infj", "infj"}, ""},
		{">c8", []string{"0.1+2.25j", "-0-0j", "1+3.4028235e+38j"}, ""},
		{"c16", []string{"1+1j", "1+j", "(1+1j)", "1.0+1e0J"}, "1+1j"},
		{"c16", []string{"-1j", "-j"}, "-1j"},
		{"c16", []string{"nan+0j", "nan", ""}, "nan+0j"},
		{"c16", []string{"3+0j", "3", "(3)"}, "3+0j"},
		{"complex32", []string{"0.1-2j"}, ""},
		{"<c32", []string{"0.1-2j", "1e+4000+1e-4000j"}, ""},
		{"<c24", []string{"0.1-2j"}, ""},
		{"<U4", []string{"", "béc", "😀x", "日本語", `a\nb`, `\x41`, `\ud8`, `\udg`, "a\x00b", `\ud800`, `\ude00x`, `\u00`}, ""},
		{">U9", []string{"é", `\u005cu005c`, `\u005cud800`, `\ud83d\ude00`, `C:\u1234`}, ""},
		{"U4", []string{`\ud800`, `\uD800`}, `\ud800`},
		{"S5", []string{"", "abc", "é", "日", `\xff`, `a\x`, `\u00`, "a\x00b", `\xffabc`, `\xe6\x97`, `\x5cx41`, `\`}, ""},
		{"S5", []string{"\xff", `\xff`, `\xFF`}, `\xff`},
		{"V3", []string{"000102", "ffffff"}, ""},
		{"V3", []string{"abcdef", "ABCDEF"}, "abcdef"},
		{"V0", []string{""}, ""},
		{"int4", []string{"-8", "-1", "0", "7"}, ""},
		{"uint4", []string{"0", "15"}, ""},
		{"int2", []string{"-2", "1"}, ""},
		{"uint2", []string{"3", "+3", "03"}, "3"},
		{"int1", []string{"0f"}, ""},
		{"float8_e4m3fn", []string{"1.0", "-0.3", "450.0", "nan"}, ""},
		{"float8_e8m0fnu", []string{"2e+38", "0.5", "nan"}, ""},
		{"float4_e2m1fn", []string{"6.0", "-0.5"}, ""},
		{"M8[D]", []string{"2020-01-02", "NaT", "-001-01-01", "12345-01-01"}, ""},
		{">M8[us]", []string{"1969-12-31T23:59:59.999999"}, ""},
		{"M8[25s]", []string{"1970-01-01T00:00:25"}, ""},
		{"M8[W]", []string{"2206-08-07"}, ""},
		{"M8[s]", []string{"NaT", "nat", ""}, "NaT"},
		{"M8", []string{"12345", "-9223372036854775807", "NaT"}, ""},
		{"m8[ns]", []string{"12345", "-9223372036854775807", "NaT"}, ""},
		{">m8[25s]", []string{"5"}, ""},
		{"m8", []string{"NaT", "", "nat"}, "NaT"},
	} {
		d, format, parse := codecOf(t, tt.descr)
		for _, text := range tt.texts {
			want := tt.want
			if want == "" {
				want = text
			}
			item := bytes.Repeat([]byte{0xaa}, d.ItemSize()) // all of it must be written
			if err := parse(item, text); err != nil {
				t.Errorf("parse %q as %s: %v", text, tt.descr, err)
				continue
			}
			if got, err := format([]byte("<"), item); err != nil || string(got) != "<"+want {
				t.Errorf("parse %q as %s and format: %q, %v, want %q", text, tt.descr, got, err, "<"+want)
			}
		}
	}
}

func TestParseBytes(t *testing.T) {
	for _, tt := range []struct {
		descr, text, want string
	}{
		{">i4", "1", "\x00\x00\x00\x01"},
		{"<i4", "-2", "\xfe\xff\xff\xff"},
		{">f8", "1", "\x3f\xf0\x00\x00\x00\x00\x00\x00"},
		{"<f16 quad", "-2.5", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x40\x00\xc0"},
		{">f16 quad", "1", "\x3f\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"<c8", "1-2j", "\x00\x00\x80\x3f\x00\x00\x00\xc0"},
		{"<f4", "0.50000002980232239", "\x01\x00\x00\x3f"}, // a hair above the middle: rounding twice gives 0.5
		{"<c8", "0.50000002980232239j", "\x00\x00\x00\x00\x01\x00\x00\x3f"},
		{"<U2", `\ud83d`, "\x3d\xd8\x00\x00\x00\x00\x00\x00"},
		{">U1", "é", "\x00\x00\x00\xe9"},
		{"S3", `\x00a`, "\x00a\x00"},
		{"<M8[D]", "1970-01-02", "\x01\x00\x00\x00\x00\x00\x00\x00"},
		{">m8", "NaT", "\x80\x00\x00\x00\x00\x00\x00\x00"},
	} {
		d, _, parse := codecOf(t, tt.descr)
		item := bytes.Repeat([]byte{0xaa}, d.ItemSize())
		if err := parse(item, tt.text); err != nil || string(item) != tt.want {
			t.Errorf("parse %q as %s = % x, %v, want % x", tt.text, tt.descr, item, err, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		descr, text string
		is          error
		want        string
	}{
		{"?", "2", scalar.ErrSyntax, `"2" is not a bool`},
		{"?", "", scalar.ErrSyntax, `missing value, want a bool`},
		{"i8", "", scalar.ErrSyntax, `missing value, want an int64`},
		{"u2", "", scalar.ErrSyntax, `missing value, want a uint16`},
		{"i1", "128", scalar.ErrRange, `"128" is not an int8: value out of range`},
		{"u1", "-1", scalar.ErrRange, `"-1" is not a uint8: value out of range`},
		{"u1", "++1", scalar.ErrSyntax, `"++1" is not a uint8`},
		{"u1", "+-1", scalar.ErrSyntax, `"+-1" is not a uint8`},
		{"int4", "8", scalar.ErrRange, `"8" is not an int4: value out of range`},
		{"int4", "99999999999999999999", scalar.ErrRange, `"99999999999999999999" is not an int4: value out of range`},
		{"uint2", "-1", scalar.ErrRange, `"-1" is not a uint2: value out of range`},
		{"int2", "0x1", scalar.ErrSyntax, `"0x1" is not an int2`},
		{"int2", "", scalar.ErrSyntax, "missing value, want an int2"},
		{"i4", "1.0", scalar.ErrSyntax, `"1.0" is not an int32`},
		{"i4", " 1", scalar.ErrSyntax, `" 1" is not an int32`},
		{"i4", "1_0", scalar.ErrSyntax, `"1_0" is not an int32`},
		{"f8", "1e309", scalar.ErrRange, `"1e309" is not a float64: value out of range`},
		{"f4", "3.4028236e38", scalar.ErrRange, `"3.4028236e38" is not a float32: value out of range`},
		{"f2", "65520", scalar.ErrRange, `"65520" is not a float16: value out of range`},
		{"<f16", "1e5000", scalar.ErrRange, `"1e5000" is not a float128: value out of range`},
		{"<f16 quad", "1e5000", scalar.ErrRange, `"1e5000" is not a float128: value out of range`},
		{"f8", "0x1p-2", scalar.ErrSyntax, `"0x1p-2" is not a float64`},
		{"f8", "-0X1p-2", scalar.ErrSyntax, `"-0X1p-2" is not a float64`},
		{"f8", "1_0", scalar.ErrSyntax, `"1_0" is not a float64`},
		{"f8", "1,5", scalar.ErrSyntax, `"1,5" is not a float64`},
		{"c16", "1+2i", scalar.ErrSyntax, `"1+2i" is not a complex128`},
		{"c16", "()", scalar.ErrSyntax, `"()" is not a complex128`},
		{"c16", "1e999j", scalar.ErrRange, `"1e999j" is not a complex128: value out of range`},
		{"c8", "1e39", scalar.ErrRange, `"1e39" is not a complex64: value out of range`},
		{"<U2", "abc", nil, `"abc" is not a <U2: 3 characters are too long for 2`},
		{"<U0", "a", nil, `"a" is not a <U0: 1 characters are too long for 0`},
		{"<U2", "a\x00", nil, `"a\x00" is not a <U2: NumPy drops NULs at the end of str and bytes, so the value would change`},
		{"<U2", "\xed\xa0\x80", scalar.ErrUTF8, `"\xed\xa0\x80" is not a <U2: invalid UTF-8`},
		{"S2", "日", nil, `"日" is not a |S2: 3 bytes are too long for 2`},
		{"S2", `\x00`, nil, `"\\x00" is not a |S2: NumPy drops NULs at the end of str and bytes, so the value would change`},
		{"V2", "00", nil, `"00" is not a |V2: 2 characters given, want 4 hexadecimal digits`},
		{"V2", "00gg", scalar.ErrSyntax, `"00gg" is not a |V2`},
		{"M8[s]", "yesterday", scalar.ErrSyntax, `"yesterday" is not a datetime64[s]`},
		{"M8[D]", "2020-01-01T01", scalar.ErrInexact, `"2020-01-01T01" is not a datetime64[D]: value is not a whole number of ticks`},
		{"M8[ns]", "3000-01-01", scalar.ErrRange, `"3000-01-01" is not a datetime64[ns]: value out of range`},
		{"M8", "2020-01-01", scalar.ErrSyntax, `"2020-01-01" is not a datetime64`},
		{"m8[s]", "-9223372036854775808", scalar.ErrRange, `"-9223372036854775808" is not a timedelta64[s]: value out of range`},
		{"i4", strings.Repeat("9", 100), scalar.ErrRange, `"` + strings.Repeat("9", 40) + `"... is not an int32: value out of range`},
	} {
		d, _, parse := codecOf(t, tt.descr)
		err := parse(make([]byte, d.ItemSize()), tt.text)
		if err == nil || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("parse %q as %s: error %v, want one that wraps %v", tt.text, tt.descr, err, tt.is)
			continue
		}
		if err.Error() != tt.want {
			t.Errorf("parse %q as %s:\n got %v\nwant %s", tt.text, tt.descr, err, tt.want)
		}
		if e := new(elem.Error); !errors.As(err, &e) || e.Text != tt.text {
			t.Errorf("parse %q as %s: error is %T, want *elem.Error with the text", tt.text, tt.descr, err)
		}
	}
}

func TestUnsupported(t *testing.T) {
	for _, d := range []dtype.Type{mustParse(t, "i4,f4"), mustParse(t, "2i1"), dtype.Object, {}} {
		if _, err := (elem.Texts{}).Formatter(d); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Formatter(%s): error %v, want errors.ErrUnsupported", d, err)
		}
		if _, err := (elem.Texts{}).Parser(d); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Parser(%s): error %v, want errors.ErrUnsupported", d, err)
		}
	}
}

func TestFormatNoCodePoint(t *testing.T) {
	_, format, _ := codecOf(t, "<U2")
	got, err := format([]byte("x"), []byte{'a', 0, 0, 0, 0, 0, 0x11, 0})
	if e := new(scalar.CodePointError); !errors.As(err, &e) || e.Index != 1 || string(got) != "x" {
		t.Errorf("format = %q, %v, want x and a *scalar.CodePointError at 1", got, err)
	}
}

func TestLengths(t *testing.T) {
	for _, tt := range []struct {
		text       string
		str, bytes int
	}{
		{"", 0, 0}, {"abc", 3, 3}, {"é", 1, 2}, {`\ud800`, 1, 6}, {`\xff`, 4, 1}, {`\x5cx41`, 7, 4}, {`\\x41\`, 6, 3}, {"\xff", 1, 1}, {`\u005cud800`, 6, 11},
	} {
		if n := escape.StrLen(tt.text); n != tt.str {
			t.Errorf("StrLen(%q) = %d, want %d", tt.text, n, tt.str)
		}
		if n := escape.BytesLen(tt.text); n != tt.bytes {
			t.Errorf("BytesLen(%q) = %d, want %d", tt.text, n, tt.bytes)
		}
	}
}

// Every bit pattern has a text that reads back to it, and the text of str and bytes is UTF-8.
func FuzzItem(f *testing.F) {
	kinds := []string{"?", "i1", ">i2", "<u4", "i8", "f2", ">f4", "<f8", "f16", "float8_e5m2", "bfloat16", "c8", ">c16", "<c32", "complex32",
		"<U3", ">U4", "S12", "V5", "M8[D]", "M8[25s]", ">M8[as]", "M8", "m8[Y]"}
	for i := range kinds {
		f.Add(i, []byte(`\x5c\ud800\u005c\xffé`))
		f.Add(i, bytes.Repeat([]byte{0xed, 0xa0, 0x80, 0}, 8))
		f.Add(i, []byte{'\\', 0, 0, 0, 'u', 0, 0, 0, 0x00, 0xd8, 0, 0})
	}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		d, format, parse := codecOf(t, kinds[uint(kind)%uint(len(kinds))])
		item := make([]byte, d.ItemSize())
		copy(item, data)
		text, err := format(nil, item)
		if err != nil {
			return
		}
		if !utf8.Valid(text) {
			t.Errorf("text %q of % x as %s is not UTF-8", text, item, d)
		}
		back := bytes.Repeat([]byte{0xaa}, len(item))
		if err := parse(back, string(text)); err != nil {
			t.Fatalf("text %q of % x as %s: %v", text, item, d, err)
		}
		again, err := format(nil, back)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("text %q of % x as %s is read as % x, %q, %v", text, item, d, back, again, err)
		}
		switch d.Kind() {
		case dtype.KindInt, dtype.KindUint, dtype.KindStr, dtype.KindBytes, dtype.KindDatetime, dtype.KindTimedelta:
			if !bytes.Equal(back, item) {
				t.Errorf("text %q of % x as %s is read as % x", text, item, d, back)
			}
		}
	})
}

// An accepted text gives an element whose text reads back to the same bytes.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", `\x41`, `\u005cud800`, `\ud83d\ude00`, "1e5", "-infj", "(1+j)", "2020-02-30", "2020-01-01T00:00:00.5Z", "é\xff", "a\x00b", "+", "1_0", "0x1p4"} {
		f.Add(s)
	}
	kinds := []string{"?", "i2", "u8", "f2", "f4", "f8", "f16", "c8", "c16", "U8", "S8", "V2", "M8[s]", "M8", "m8[s]"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range kinds {
			d, format, parse := codecOf(t, kind)
			item, back := make([]byte, d.ItemSize()), make([]byte, d.ItemSize())
			if parse(item, text) != nil {
				continue
			}
			out, err := format(nil, item)
			if err == nil {
				err = parse(back, string(out))
			}
			if nan := strings.Contains(string(out), "nan"); err != nil || !nan && !bytes.Equal(item, back) {
				t.Errorf("%q as %s is % x, written %q, read as % x, %v", text, kind, item, out, back, err)
			}
		}
	})
}

func BenchmarkFormatFloat64(b *testing.B) {
	_, format, parse := codecOf(b, "f8")
	item := make([]byte, 8)
	if err := parse(item, "0.12345678901234567"); err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 32)
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = format(buf[:0], item)
	}
}
