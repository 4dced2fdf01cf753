package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/spf13/cobra"
)

// bashQuotes completes words with an open quote, which cobra's script for bash leaves to the names of files.
//
//go:embed completion_quotes.bash
var bashQuotes string

func completionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print completions for bash, zsh, fish or powershell",
		Long: `Completion prints a script for a shell. With it the shell completes subcommands, flags and their values, files, members of
archives (FILE.npz:) and fields of records (FILE[). Packages install the script. To install it without one:

  bash         npy completion bash >~/.local/share/bash-completion/completions/npy
  zsh          npy completion zsh >"${fpath[1]}/_npy"
  fish         npy completion fish >~/.config/fish/completions/npy.fish
  powershell   npy completion powershell >>$PROFILE

Bash needs the package bash-completion. It works in new shells; for the current bash: source <(npy completion bash)`,
		Example: `  npy completion bash
  npy completion zsh`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("completion wants the name of a shell: bash, zsh, fish or powershell")
			}
			if err := cobra.OnlyValidArgs(c, args); err != nil {
				return withHint(fmt.Errorf("there are no completions for %q", args[0]), suggest.DidYouMean("%s", args[0], c.ValidArgs))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch root := c.Root(); args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(a.out, true); err != nil {
					return err
				}
				_, err := io.WriteString(a.out, bashQuotes)
				return err
			case "zsh":
				return a.edited(root.GenZshCompletion, `__complete ${words[2,-1]}"`, `__complete ${(j: :)${(@q)${(@)${(@Q)words[2,-1]}#[\'\"]}}}"`)
			case "fish":
				generate := func(w io.Writer) error { return root.GenFishCompletion(w, true) }
				return a.edited(generate, `(string escape -- (commandline -ct))`, `(string escape -- (string trim --left --chars="'\"" -- (commandline -ct)))`,
					`(commandline -t | string escape`, `(string trim --left --chars="'\"" -- (commandline -t) | string escape`)
			default:
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
		},
	}
}

// edited prints a script with changes, each an old text and a new one: cobra's scripts for zsh and fish leave words with
// an open quote to the names of files.
func (a *app) edited(generate func(io.Writer) error, changes ...string) error {
	var b strings.Builder
	if err := generate(&b); err != nil {
		return err
	}
	script := b.String()
	for change := range slices.Chunk(changes, 2) {
		if !strings.Contains(script, change[0]) {
			return fmt.Errorf("cobra's script does not have %q", change[0])
		}
		script = strings.Replace(script, change[0], change[1], 1)
	}
	_, err := io.WriteString(a.out, script)
	return err
}
