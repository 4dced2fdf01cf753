package convert_test

// must returns a value and panics on an error, which is not expected.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
