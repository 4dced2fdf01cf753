module github.com/npygo/npy

go 1.26
