package property

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/npygo/npy/internal/report"
)

// WriteLive puts a table of counts into the section live of a document. It reads the counts from the file that NPY_LIVE
// names, to which runs append them.
func WriteLive(document string) error {
	f, err := os.Open(os.Getenv("NPY_LIVE"))
	if err != nil {
		return err
	}
	defer f.Close()
	var all Counts
	var rows strings.Builder
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c Counts
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return err
		}
		all.Cases, all.Comparisons, all.Meant, all.Differences = all.Cases+c.Cases, all.Comparisons+c.Comparisons, all.Meant+c.Meant, all.Differences+c.Differences
		fmt.Fprintf(&rows, "| %s | %s | %d | %d | %d | %d |\n", c.Area, c.NumPy, c.Cases, c.Comparisons, c.Meant, c.Differences)
	}
	text := fmt.Sprintf("%d random cases with %d comparisons: %d differences. Another %d are intended: see `doc/differences.md`.\n\n"+
		"| area | NumPy | cases | comparisons | intended | differences |\n|---|---|--:|--:|--:|--:|\n%s", all.Cases, all.Comparisons, all.Differences, all.Meant, rows.String())
	return report.Write(document, "live", text)
}
