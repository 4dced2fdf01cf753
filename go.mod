module github.com/npygo/npy

go 1.25.0

require golang.org/x/sys v0.47.0

require github.com/klauspost/compress v1.20.3
