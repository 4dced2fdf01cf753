// Package calendar computes with dates and times of day, and knows the bytes in which Python's datetime keeps them.
package calendar
