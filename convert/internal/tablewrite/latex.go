package tablewrite

import (
	"context"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
)

// WriteLatex writes a tabular of LaTeX.
func WriteLatex(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	return latex().writeTo(ctx, w, src, o)
}

func latex() dialect {
	return dialect{
		escape: strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
			"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`, `\textquotedbl{}`,
			"[", "{[}", "]", "{]}", "\r\n", " ", "\n", " ", "\r", " ", "\t", " "),
		middle: " & ", end: ` \\` + "\n", top: latexTop, bottom: "\\end{tabular}\n",
	}
}

func latexTop(dst []byte, p *pretty) []byte {
	dst = append(dst, `\begin{tabular}{`...)
	for _, text := range p.isText {
		if text {
			dst = append(dst, 'l')
		} else {
			dst = append(dst, 'r')
		}
	}
	dst = append(dst, "}\n"...)
	if p.columns[0].Name == "" {
		return dst // column numbers are not printed as headings
	}
	return append(p.appendNames(dst), "\\hline\n"...)
}
