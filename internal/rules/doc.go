// Package rules has the tests that hold the source of all packages to the rules of doc/architecture.md: which package imports
// which, where unsafe code and goroutines are, that random choices have a seed and tests wait for events, and that doc/api.md lists
// all exported names. It is a package of its own so that a change of these tests does not compile the tests of package npy.
package rules
