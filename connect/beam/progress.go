package npyio

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// The counter of all transforms, as metrics name it.
const (
	counterNamespace = "npyio"
	counterName      = "bytes"
)

// Watch tells how far a job is: it calls show with the bytes of elements that the transforms of this package have dealt
// with, whenever there are more of them, until the job has ended. It asks the runner's job server at endpoint, as --endpoint
// names it, after each pause, for the job called name, as --job_name does. Work that a runner repeats counts again, and each
// pass over a Dataset counts; one pass or one Write is [Dataset.NBytes]. An error is one of the connection or of ctx.
func Watch(ctx context.Context, endpoint, name string, pause time.Duration, show func(bytes int64)) error {
	connection, err := grpcx.Dial(ctx, endpoint, time.Minute)
	if err != nil {
		return fmt.Errorf("npyio: watching a job: %w", err)
	}
	defer connection.Close()
	jobs := jobpb.NewJobServiceClient(connection)
	for shown := int64(0); ; {
		job, err := findJob(ctx, jobs, name)
		if err == nil && job != nil {
			var n int64
			if n, err = bytesOf(ctx, jobs, job.GetJobId()); n > shown {
				shown = n
				show(n)
			}
		}
		if err != nil {
			return fmt.Errorf("npyio: watching a job: %w", err)
		}
		if job != nil && ended(job.GetState()) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// findJob returns the job with a name, or nil.
func findJob(ctx context.Context, jobs jobpb.JobServiceClient, name string) (*jobpb.JobInfo, error) {
	all, err := jobs.GetJobs(ctx, &jobpb.GetJobsRequest{})
	for _, job := range all.GetJobInfo() {
		if job.GetJobName() == name {
			return job, err
		}
	}
	return nil, err
}

// bytesOf returns the sum of the counter over the transforms of a job.
func bytesOf(ctx context.Context, jobs jobpb.JobServiceClient, id string) (n int64, err error) {
	all, err := jobs.GetJobMetrics(ctx, &jobpb.GetJobMetricsRequest{JobId: id})
	if err != nil {
		return 0, err
	}
	// What is attempted comes before it is committed; some runners tell only one of them.
	return max(sum(all.GetMetrics().GetAttempted()), sum(all.GetMetrics().GetCommitted())), nil
}

// sum adds the values of the counter. They are varints.
func sum(infos []*pipepb.MonitoringInfo) (n int64) {
	for _, info := range infos {
		if labels := info.GetLabels(); labels["NAMESPACE"] == counterNamespace && labels["NAME"] == counterName {
			value, _ := binary.Uvarint(info.GetPayload())
			n += int64(value)
		}
	}
	return n
}

// ended reports whether a job in this state does nothing more. A job that has not begun is STOPPED.
func ended(state jobpb.JobState_Enum) bool {
	switch state {
	case jobpb.JobState_DONE, jobpb.JobState_FAILED, jobpb.JobState_CANCELLED, jobpb.JobState_DRAINED, jobpb.JobState_UPDATED:
		return true
	}
	return false
}
