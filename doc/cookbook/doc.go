// Package cookbook has programs that do common jobs with arrays. Each is the example of a test, runs by itself and
// prints the output in its comment. Copy what you need.
package cookbook
