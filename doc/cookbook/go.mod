module github.com/npygo/npy/doc/cookbook

go 1.25.0

require (
	github.com/npygo/npy v0.1.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

// Always the code beside it.
replace github.com/npygo/npy => ../../
