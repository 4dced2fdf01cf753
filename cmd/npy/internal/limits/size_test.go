package limits

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{"1": 1, "512M": 512 << 20, "2g": 2 << 30, "3KiB": 3 << 10, "1TB": 1 << 40, "7B": 7} {
		var s Size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s is %d, %v, want %d", text, int64(s), err, int64(want))
		}
	}
	for _, text := range []string{"", "M", "-1", "0", "1.5G", "1X", "9999999T", "MM", "1 M"} {
		if err := new(Size).Set(text); err == nil {
			t.Errorf("%q is a size", text)
		}
	}
	for s, want := range map[Size]string{256 << 20: "256M", 1000: "1000", 0: "0", 1 << 40: "1T"} {
		if got := s.String(); got != want {
			t.Errorf("%d is %s, want %s", int64(s), got, want)
		}
	}
}
