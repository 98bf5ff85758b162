package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"quipu/internal/store/docs"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/docs/sqlite"
)

// documents is a document store, with what its operator asks of it.
type documents interface {
	docs.DB
	// Check reports any damage as docs.corrupt.
	Check(ctx context.Context) error
	// Scrub takes what was deleted or replaced out of the files of the store.
	Scrub(ctx context.Context) error
	// Rest makes the files of the store small while there is little to do.
	Rest(ctx context.Context) error
}

// errOwnDatabase says that documents are not in the data folder.
var errOwnDatabase = errors.New("the documents are in a PostgreSQL database (docs), of which this command makes and reads no copies: " +
	"stop the server, copy the data folder, and dump the database with pg_dump; restore both together")

// errTwoDocuments says that there are documents in two places.
var errTwoDocuments = errors.New("the data folder has documents in " + docsFile + ", but docs names a PostgreSQL database: start without docs, or on an empty data folder")

// openDocuments opens the document store: the database that the configuration names, or the file in the data folder.
func openDocuments(ctx context.Context, cfg Config, log *slog.Logger) (documents, error) {
	path := filepath.Join(cfg.Data, docsFile)
	if cfg.Cluster != "" {
		cluster, err := LoadCluster(cfg.Cluster)
		if err != nil {
			return nil, err
		}
		return cluster.documents(ctx, log, nil)
	}
	if cfg.Docs == "" {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Log: log})
		if err != nil {
			return nil, fmt.Errorf("open documents: %w", err)
		}
		return db, nil
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, errTwoDocuments
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for documents: %w", err)
	}
	db, err := postgres.Open(ctx, postgres.Options{DSN: cfg.Docs, Log: log, Own: true})
	if err != nil {
		return nil, fmt.Errorf("open documents: %w", err)
	}
	return db, nil
}

// documents opens the documents of a cluster, which no node has for itself.
func (c *ClusterConfig) documents(ctx context.Context, log *slog.Logger, dial func(Engine) Dial) (documents, error) {
	db, err := postgres.Open(ctx, postgres.Options{DSN: c.Documents.Address.Value, Log: log, Dial: dialOf(dial, EnginePostgreSQL)})
	if err != nil {
		return nil, err
	}
	return db, nil
}
