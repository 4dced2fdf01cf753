package par

import "context"

const (
	Moving = moving
	Window = window
)

// Left returns the remaining budget of a context.
func Left(ctx context.Context) int { return len(budgetOf(ctx)) }
