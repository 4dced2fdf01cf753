package main

import (
	"cmp"
	"embed"
	"fmt"

	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/spf13/cobra"
)

// The scripts hand a line to the command (complete_line.go) and its answer to their shell.
//
//go:embed completion
var completionScripts embed.FS

var completionSubcommand = subcommand{
	use:   "completion SHELL",
	short: "Print completions for bash, zsh, fish or powershell",
	group: helpGroup,
	make:  completionCommand,
}

func completionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Long: `Completion prints a script for a shell. With it the shell completes subcommands, flags and their values, files, members of
archives (FILE.npz:) and fields of records (FILE[). Packages install the script. To install it without one:

  bash         npy completion bash >~/.local/share/bash-completion/completions/npy
  zsh          npy completion zsh >"${fpath[1]}/_npy"
  fish         npy completion fish >~/.config/fish/completions/npy.fish
  powershell   npy completion powershell >>$PROFILE

It works in new shells; for the current bash: source <(npy completion bash)

Names in files cannot run as commands: the command reads the line itself and quotes what it offers. Names with characters that a
terminal obeys are not offered.`,
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
			ending := map[string]string{"powershell": "ps1"}[args[0]]
			script, err := completionScripts.ReadFile("completion/npy." + cmp.Or(ending, args[0]))
			if err != nil {
				return err
			}
			_, err = a.out.Write(script)
			return err
		},
	}
}
