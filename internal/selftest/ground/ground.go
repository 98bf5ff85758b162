// Package ground gives commands that try a cluster a folder on this machine and a place on the cluster's servers, and removes both.
package ground

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quipu/internal/app"
	"quipu/internal/model"
)

// Ground is a folder and a place on the servers of a cluster.
type Ground struct {
	// Dir is the folder.
	Dir string
	*app.Place
}

// New makes a folder in parent, "" = the system's for temporary files, and a place on the servers that a cluster's file names. What is made on the servers has a name that
// begins with kind and no other has.
func New(ctx context.Context, cluster, parent, kind string) (*Ground, error) {
	g := &Ground{}
	var err error
	if g.Dir, err = os.MkdirTemp(parent, strings.ReplaceAll(kind, "_", "-")+"-cluster-"); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	// All nodes need the same key.
	if err = os.WriteFile(g.key(), []byte(strings.Repeat("5a", 32)+"\n"), 0o600); err == nil {
		g.Place, err = app.MakePlace(ctx, cluster, g.Dir, kind+"_"+model.NewID().String(), app.Process{})
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(g.Dir))
	}
	return g, nil
}

func (g *Ground) key() string { return filepath.Join(g.Dir, "secret.key") }

// Env is what nodes have in their environment.
func (g *Ground) Env() []string { return []string{"QUIPU_SECRET_KEY_FILE=" + g.key()} }

// Remove removes folder and place, even if ctx is done.
func (g *Ground) Remove(ctx context.Context) error {
	return errors.Join(g.Place.Remove(context.WithoutCancel(ctx)), os.RemoveAll(g.Dir))
}

// Redact removes the files that hold passwords of the servers, for a folder that is kept to be looked at.
func (g *Ground) Redact() error {
	list, err := filepath.Glob(filepath.Join(g.Dir, "*.address"))
	for _, path := range append(list, g.File) {
		if rerr := os.Remove(path); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}
