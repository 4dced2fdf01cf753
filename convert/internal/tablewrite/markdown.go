package tablewrite

import (
	"context"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
)

// WriteMarkdown writes a table of Markdown.
func WriteMarkdown(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	return markdown().writeTo(ctx, w, src, o)
}

func markdown() dialect {
	return dialect{
		escape: strings.NewReplacer("|", `\|`, `\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "$", `\$`,
			"<", "&lt;", ">", "&gt;", "&", "&amp;", "\r\n", "<br>", "\n", "<br>", "\r", "<br>", "\t", " "),
		left: "| ", middle: " | ", end: " |\n", top: markdownTop,
	}
}

func markdownTop(dst []byte, p *pretty) []byte {
	dst = append(p.appendNames(dst), '|')
	for i, n := range p.widths {
		rule := []byte(strings.Repeat("-", n+2))
		if !p.isText[i] {
			rule[n+1] = ':'
		}
		dst = append(append(dst, rule...), '|')
	}
	return append(dst, '\n')
}
