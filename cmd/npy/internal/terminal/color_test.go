package terminal

import "testing"

func TestWantsColor(t *testing.T) {
	for _, test := range []struct {
		when     string
		terminal bool
		env      []string
		want     bool
	}{
		{"auto", true, nil, true}, {"auto", false, nil, false}, {"auto", true, []string{"NO_COLOR", "1"}, false},
		{"auto", true, []string{"TERM", "dumb"}, false}, {"always", false, []string{"NO_COLOR", "1"}, true}, {"never", true, nil, false},
	} {
		if got, err := WantsColor(test.when, test.terminal, environment(test.env...)); got != test.want || err != nil {
			t.Errorf("%s, terminal %t, %v: %t, %v", test.when, test.terminal, test.env, got, err)
		}
	}
}

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}
