package npyio

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// The files of a Write are in a hidden folder, the stage, until the last DoFn moves it to the folder of the job. Runners repeat work, and
// a worker that its runner has given up, or whose job was killed, works on: such a straggler may come at any time, also after the move.
// It must not make the stage again, since nobody would remove it, and what it has begun in the stage must not end in the folder.
//
//   - A folder with a manifest is complete. A worker that finds it complete writes nothing.
//   - A worker that makes the stage, or has written into it, looks whether the folder is complete afterwards, and removes the
//     stage if it is: then the stage was made after the move.
//   - The files of stragglers that were moved with the stage are removed after the move. They can make no others there, since they know
//     the stage alone.

// The points of an attempt at which tests hold it.
const (
	entering = "entering" // before the stage is made
	entered  = "entered"  // when it is made
	leaving  = "leaving"  // when the file is written
	moving   = "moving"   // before the stage is moved
)

var at = func(point string) {} // changed by tests

// complete reports whether the folder of the job is complete, of which the job itself or another is the writer.
func (j *job) complete() bool { return exists(filepath.Join(j.Dir, ManifestName)) }

// inStage calls write, for which it makes the stage. If the folder is complete, before or after, it reports so, and the error
// of write does not matter.
func (j *job) inStage(write func() error) (complete bool, err error) {
	if remote.IsURL(j.Stage) {
		return false, write()
	}
	if j.complete() {
		return true, nil
	}
	at(entering)
	if err := os.MkdirAll(j.Stage, 0o777); err != nil {
		return false, err
	}
	at(entered)
	if !j.complete() {
		err = write()
		at(leaving)
	}
	if !j.complete() {
		return false, err
	}
	return true, os.RemoveAll(j.Stage)
}

// length returns the length of a shard of the complete folder.
func (j *job) length(ctx context.Context, x shard) (int, error) {
	a, err := openArray(ctx, filepath.Join(j.Dir, x.name()))
	if err != nil {
		return 0, err
	}
	defer a.Close()
	if shape := a.Shape(); len(shape) == len(j.Data.Shape) {
		return shape[j.Options.Axis], nil
	}
	return 0, errors.New("npyio: another job has written the folder; remove it, or choose another")
}

// keepOnly removes files with names that a job gives from a folder: files of killed attempts and of stragglers.
func keepOnly(dir string, m parts.Manifest) error {
	keep := map[string]bool{ManifestName: true}
	for _, p := range m.Parts {
		keep[p.Path] = true
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if name := e.Name(); !keep[name] && isOurs(name) {
			err = errors.Join(err, gone(os.RemoveAll(filepath.Join(dir, name))))
		}
	}
	return err
}

// isOurs reports whether a job gives a name to a file or to its temporary file.
func isOurs(name string) bool {
	name = strings.TrimPrefix(name, ".")
	return strings.HasPrefix(name, "part-") || strings.HasPrefix(name, "middle-") || strings.HasPrefix(name, ManifestName)
}

// gone returns err unless it is that a file does not exist, which a straggler may have moved.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stages returns what the paths of all hidden folders for Dir begin with.
func (j *job) stages() string {
	return filepath.Join(filepath.Dir(j.Dir), "."+filepath.Base(j.Dir)+".npyio-")
}

// clean removes what others left in the complete folder, and the hidden folders of other jobs for it, which can no longer end.
func (j *job) clean(m parts.Manifest) error {
	prefix := j.stages()
	err := keepOnly(j.Dir, m)
	entries, e := os.ReadDir(filepath.Dir(prefix))
	err = errors.Join(err, e)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(prefix)) {
			err = errors.Join(err, gone(os.RemoveAll(filepath.Join(filepath.Dir(prefix), e.Name()))))
		}
	}
	return err
}
