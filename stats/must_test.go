package stats_test

// must returns a value that there is no reason to fail for.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
