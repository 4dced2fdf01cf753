package terminal

import "fmt"

// WantsColor decides on the flag --color. NO_COLOR (no-color.org) and dumb terminals apply only to auto.
func WantsColor(when string, terminal bool, env func(string) string) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return terminal && env("NO_COLOR") == "" && env("TERM") != "dumb", nil
	}
	return false, fmt.Errorf("unknown --color %q; want auto, always or never", when)
}
