// Package calendar computes with dates and times of day, and reads and writes their bytes in Python's datetime.
package calendar
