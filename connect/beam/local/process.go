package local

import "strings"

// WorkerArgs returns the arguments of a worker process of Beam's Go SDK, if args are what a runner gives to the command of a PROCESS
// environment: the worker's name, which Prism puts in quotes, and the address of a service, where Prism has all others. A program that
// passes them to Beam instead of its own is such a command:
//
//	if args, ok := local.WorkerArgs(os.Args[1:]); ok {
//		os.Args = append(os.Args[:1], args...)
//	}
//	beam.Init() // does not return in a worker
func WorkerArgs(args []string) (worker []string, ok bool) {
	given := map[string]string{}
	for _, arg := range args {
		if name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "="); ok && strings.HasPrefix(arg, "-") {
			given[name] = value
		}
	}
	service, id := given["provision_endpoint"], strings.Trim(given["id"], "'")
	if service == "" || id == "" {
		return nil, false
	}
	worker = []string{"--worker", "--id=" + id}
	for _, name := range []string{"control_endpoint", "logging_endpoint"} {
		at := service
		if given[name] != "" {
			at = given[name]
		}
		worker = append(worker, "--"+name+"="+at)
	}
	return worker, true
}
