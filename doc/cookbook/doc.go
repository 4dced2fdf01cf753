// Package cookbook has programs that do common jobs with arrays. Each is the example of a test, runs by itself and prints
// what it says. Copy what you need.
package cookbook
