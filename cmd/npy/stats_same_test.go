package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// statsOf returns the output of npy stats for a file.
func statsOf(t *testing.T, path string, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := run(append([]string{"stats", path}, args...), nil, &out, &talk); code != exitDone {
		t.Fatalf("exit code %d: %s", code, talk.String())
	}
	return out.String()
}

// Stats reads arrays that are the same bytes of a file once, and says that they are. The results are right for each array.
func TestStatsOfSameBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "same.nc")
	if err := os.WriteFile(path, []byte(classic(3, minSame, minSame)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"-s", "5:"}, {"--axis", "0"}, {"--quantiles", "0.5"}} {
		text := statsOf(t, path, args...)
		if n := strings.Count(text, "same bytes as  v0000000"); n != 2 {
			t.Errorf("%v: %d arrays are the same:\n%s", args, n, text)
		}
		lines := strings.Split(strings.TrimSpace(statsOf(t, path, append(args, "--json")...)), "\n")
		for i, line := range lines {
			name := fmt.Sprintf(`"member":"v%07d"`, i)
			got := strings.Replace(strings.Replace(line, name, `"member":"v0000000"`, 1), `"same_as":"v0000000",`, "", 1)
			if got != lines[0] || !strings.Contains(line, name) || strings.Contains(line, "same_as") != (i > 0) {
				t.Errorf("%v: %s\nwant %s", args, line, lines[0])
			}
		}
		if len(lines) != 3 {
			t.Errorf("%v: %d lines", args, len(lines))
		}
	}
}
