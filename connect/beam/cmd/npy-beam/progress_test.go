package main

import (
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, test := range []struct {
		total, done int64
		took        time.Duration
		want        string
	}{
		{4e9, 1e9, time.Second, "stats  25%  1000 MB/s  3s left"},
		{4e9, 4e9, 2 * time.Second, "stats 100%  2000 MB/s  0s left"},
		{0, 3e9, 2 * time.Second, "stats 3000 MB  1500 MB/s"},
		{1e9, 2e9, time.Second, "stats 2000 MB  2000 MB/s"}, // of work that was repeated
	} {
		p := newProgress(nil, "stats", test.total)
		if got := p.line(test.done, test.took); got != test.want {
			t.Errorf("%d of %d bytes: %q, want %q", test.done, test.total, got, test.want)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "512M": 512 << 20, "2g": 2 << 30, "3KiB": 3 << 10, "1TB": 1 << 40, "7B": 7} {
		var v sizeValue
		if err := v.Set(text); err != nil || int64(v) != want {
			t.Errorf("%s is %d, %v; want %d", text, v, err, want)
		}
	}
	for _, text := range []string{"", "M", "-1", "0", "1.5G", "1X", "9999999T", "MM", "1 M"} {
		if err := new(sizeValue).Set(text); err == nil {
			t.Errorf("%q is a size", text)
		}
	}
}
