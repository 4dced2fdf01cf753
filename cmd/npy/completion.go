package main

import (
	"fmt"

	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/spf13/cobra"
)

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
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
		},
	}
}
