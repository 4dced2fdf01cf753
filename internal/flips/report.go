package flips

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/report"
)

// record appends the counts to the file that NPY_FLIPS names.
func (c Counts) record() error {
	path := os.Getenv("NPY_FLIPS")
	if path == "" {
		return nil
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return cmp.Or(err, f.Close())
}

// WriteReport puts a table of the counts in the file that NPY_FLIPS names into the section flips of a document.
func WriteReport(document string) error {
	f, err := os.Open(os.Getenv("NPY_FLIPS"))
	if err != nil {
		return err
	}
	defer f.Close()
	var all []Counts
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c Counts
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return err
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Counts) int { return cmp.Compare(a.Format, b.Format) })
	return report.Write(document, "flips", table(all))
}

// agreement returns how many of the wrong values another program reads as well.
func (c Counts) agreement() string {
	if c.Program == "" {
		return ""
	}
	return fmt.Sprintf("%s: %d", c.Program, c.Agreed)
}

// table returns the section of a document.
func table(all []Counts) string {
	var checked, unchecked strings.Builder
	bits, unnoticed := 0, 0
	for _, c := range all {
		bits += c.Bits
		if c.Checked {
			unnoticed += c.Wrong
			fmt.Fprintf(&checked, "| %s | %d | %d | %d | %d | %d |\n", c.Format, c.Size, c.Bits, c.Errors, c.Same, c.Wrong)
			continue
		}
		fmt.Fprintf(&unchecked, "| %s | %d | %d | %d | %d | %d | %s |\n", c.Format, c.Size, c.Bits, c.Errors, c.Same, c.Wrong, c.agreement())
	}
	return fmt.Sprintf("%d formats, %d bits changed. Formats with a checksum: %d changes of values without an error.\n\n"+
		"| format with a checksum | bytes | bits changed | errors | same values | other values |\n|---|--:|--:|--:|--:|--:|\n%s\n"+
		"| format without a checksum | bytes | bits changed | errors | same values | other values | read so by |\n|---|--:|--:|--:|--:|--:|--:|\n%s",
		len(all), bits, unnoticed, checked.String(), unchecked.String())
}
