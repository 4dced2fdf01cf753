// Package npyio reads, summarises and rewrites NumPy's arrays in pipelines of Apache Beam.
//
//	data, err := npyio.Open(ctx, "s3://bucket/day-*.npy") // reads headers, no elements
//	p, s := beam.NewPipelineWithRoot()
//	blocks := npyio.Read(s, data) // a PCollection of Block
//
// A [Dataset] is a description: the files, the dtype, the shape. Transforms send ranges of its rows to workers, and workers
// read the elements themselves, from files that they share or from object stores. So elements do not travel between workers.
//
// # Files
//
// Open takes paths, patterns and URLs of .npy files, of archives (file.npz, file.npz:member), of manifests (file.npy.json, see
// package parts) and of folders that [Write] wrote, whose URLs end in a slash. They follow each other along the first axis. Relative
// paths, also of [Write] and [WriteFile], begin in the working directory of the process that builds the pipeline. URLs are read by package remote, with credentials that each worker finds in its environment.
//
// # Statistics
//
// [Stats], [Histogram], [Quantiles] and [StatsAxis] are computed where the elements are. Workers send counts and sums, which merge
// in any order with the same bits. What takes several passes has the result of a pass as a side input of the next.
//
// # Retries
//
// The unit of work is a fixed block: block i of a Dataset is always the same rows. However a runner splits the work, and
// whatever it repeats, transforms give the same elements. A file that changes after Open is an error. A worker that its runner has
// given up, and that works on after the end of the job, leaves nothing beside the files, whatever it was doing.
//
// # Runners
//
// Package local runs pipelines on Prism, embedded in the program. [Watch] tells how far a job is. doc/beam.md in the
// repository tells what other runners need.
package npyio
