// Package results prints the results of stats, diff and pickle, as text and as JSON.
package results
