package answer

import (
	"strconv"
	"strings"
)

// joinedCommand returns the command that shows a part of an array in many files.
func (in Input) joinedCommand(slice string) string {
	words := []string{"npy", "show", "--concat", strconv.Itoa(in.Axis)}
	if slice != "" {
		words = append(words, "--slice", shellQuote(slice))
	}
	for _, file := range in.Joined {
		words = append(words, shellQuote(file))
	}
	return strings.Join(words, " ")
}

// joinedCode returns the Python and the Go that open an array in many files.
func (in Input) joinedCode() (python, open string) {
	var pythonNames, goNames []string
	for _, file := range in.Joined {
		pythonNames, goNames = append(pythonNames, pythonString(file)), append(goNames, strconv.Quote(file))
	}
	axis := strconv.Itoa(in.Axis)
	python = "np.concatenate([np.load(f) for f in [" + strings.Join(pythonNames, ", ") + "]], axis=" + axis + ")"
	open = `dir := parts.Dir(".", npy.Decoder{})
m, err := parts.Scan(ctx, ` + axis + ", []string{" + strings.Join(goNames, ", ") + `}, dir)
src, err := m.Open(dir)`
	return python, open
}
