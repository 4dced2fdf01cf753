module github.com/npygo/npy/bench

go 1.25.0

require (
	github.com/kshedden/gonpy v0.0.0-20210519231815-fa3c8dd8e59b
	github.com/npygo/npy v0.1.0
	github.com/sbinet/npyio v0.9.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/nlpodyssey/gopickle v0.3.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.28.0 // indirect
	gonum.org/v1/gonum v0.14.0 // indirect
)

// Always the code beside it.
replace github.com/npygo/npy => ../
