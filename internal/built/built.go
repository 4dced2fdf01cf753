// Package built builds the command for tests of other packages.
package built

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const command = "github.com/npygo/npy/cmd/npy"

// Command builds the command as the file at path, and marks its source as input of the test.
func Command(path string) error {
	if out, err := exec.Command("go", "build", "-o", path, command).CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", command, err, out)
	}
	return Inputs()
}

// Inputs marks the source of the command as input of the test that runs: go test keeps the results of a test while the files that
// it opened are the same, and does not see which files the go command opens for it. It opens the folders of all packages of this
// module and its siblings that the command imports, and looks at the files that they embed.
func Inputs() error {
	const list = `{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}
{{$.Dir}}/{{.}}{{end}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", list, command).Output()
	if err != nil {
		return fmt.Errorf("go list -deps %s: %w", command, err)
	}
	for path := range strings.Lines(string(out)) {
		f, err := os.Open(strings.TrimSpace(path))
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}
