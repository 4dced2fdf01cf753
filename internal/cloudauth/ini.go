package cloudauth

import (
	"fmt"
	"strings"
)

// An iniFile has the pairs of each section of a configuration file of AWS. Nested pairs, which are indented below a name
// without a value, have the name "outer.inner".
type iniFile map[string]map[string]string

// parseINI parses a configuration file of AWS. Later pairs of the same name win, as in the tools of AWS.
func parseINI(text string) (iniFile, error) {
	file := iniFile{}
	var section map[string]string
	outer := ""
	text = strings.TrimPrefix(text, "\ufeff")
	for number, line := 1, ""; text != ""; number++ {
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimRight(line, " \t\r")
		indented := line != strings.TrimLeft(line, " \t")
		line = strings.TrimLeft(line, " \t")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[':
			end := strings.IndexByte(line, ']')
			if end < 0 {
				return nil, fmt.Errorf("line %d: a section without ]", number)
			}
			name := strings.Join(strings.Fields(line[1:end]), " ")
			if file[name] == nil {
				file[name] = map[string]string{}
			}
			section, outer = file[name], ""
		default:
			name, value, ok := strings.Cut(line, "=")
			name, value = strings.ToLower(strings.TrimSpace(name)), trimComment(strings.TrimSpace(value))
			switch {
			case !ok && indented && outer != "":
				continue // the next line of a value, which no name that is used here has
			case !ok || name == "":
				return nil, fmt.Errorf("line %d: want name = value", number)
			case section == nil:
				return nil, fmt.Errorf("line %d: a value before the first section", number)
			case indented && outer != "":
				name = outer + "." + name
			case value == "":
				outer = name
			default:
				outer = ""
			}
			section[name] = value
		}
	}
	return file, nil
}

// trimComment drops a comment at the end of a value. A space must precede it: keys may have # and ;.
func trimComment(value string) string {
	for _, mark := range []string{" #", " ;", "\t#", "\t;"} {
		if i := strings.Index(value, mark); i >= 0 {
			value = strings.TrimRight(value[:i], " \t")
		}
	}
	return value
}

// splitCommand splits the command of credential_process into words: quotes keep spaces, and there are no other rules.
func splitCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	within, quote := false, byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, within = c, true
		case c == ' ' || c == '\t':
			if within {
				words = append(words, word.String())
				word.Reset()
			}
			within = false
		default:
			word.WriteByte(c)
			within = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote in credential_process is not closed")
	}
	if within {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("credential_process is empty")
	}
	return words, nil
}
