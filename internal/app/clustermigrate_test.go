package app_test

import (
	"slices"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

// TestMigrateCluster plans what an empty cluster lacks, twice with the same result, does it, and finds nothing more to do; nodes start on it.
func TestMigrateCluster(t *testing.T) {
	stores := clustered.NewStores(t)
	cfg := app.DefaultConfig()
	cfg.Cluster = stores.File
	plan := func() (steps []string) {
		t.Helper()
		list, err := app.PlanCluster(t.Context(), cfg, app.Process{})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 5 {
			t.Fatalf("%d stores: %v", len(list), list)
		}
		for _, part := range list {
			for _, step := range part.Steps {
				steps = append(steps, part.Store+": "+step)
			}
		}
		return steps
	}
	first := plan()
	for _, want := range []string{
		"PostgreSQL, state: 1. make the tables of the state", "PostgreSQL, state: 3. make the table of turns", "PostgreSQL, documents: 1. make the tables of documents",
		"ClickHouse, cells: 1. ", "ClickHouse, event rows: 1. ", "journal: make the bucket quipu-journal", "journal: make the stream quipu-journal-0", "journal: make the stream quipu-journal-3",
	} {
		if !slices.ContainsFunc(first, func(step string) bool { return strings.HasPrefix(step, want) }) {
			t.Errorf("%q is not planned:\n%s", want, strings.Join(first, "\n"))
		}
	}
	if again := plan(); !slices.Equal(first, again) {
		t.Errorf("a plan has changed something:\n%s", strings.Join(again, "\n"))
	}
	if err := app.MigrateCluster(t.Context(), cfg, app.Process{}); err != nil {
		t.Fatal(err)
	}
	if left := plan(); len(left) != 0 {
		t.Errorf("after it, this is to be done:\n%s", strings.Join(left, "\n"))
	}
	cfg.Ingest.JournalLimit *= 2
	if left := plan(); len(left) != 4 || !strings.HasPrefix(left[0], "journal: change the stream quipu-journal-0: ") {
		t.Errorf("with a larger journal:\n%s", strings.Join(left, "\n"))
	}
	testkit.New(t, stores.Node())
	cfg.Cluster = clusterFile(t, "partitions: 0")
	if _, err := app.PlanCluster(t.Context(), cfg, app.Process{}); err == nil {
		t.Error("a file with faults is planned")
	}
	cfg.Cluster = ""
	if err := app.MigrateCluster(t.Context(), cfg, app.Process{}); err == nil || !strings.Contains(err.Error(), "no cluster is named") {
		t.Errorf("without a cluster: %v", err)
	}
}

// TestPlanRefused plans on servers none of which can be used: each is named.
func TestPlanRefused(t *testing.T) {
	cfg := app.DefaultConfig()
	cfg.Cluster = clusterFile(t, `
journal: {engine: jetstream, addresses: ["nats://127.0.0.1:1"], system: {user: s, password: hidden}}
state: {address: "postgres://quipu:hidden@127.0.0.1:1/quipu?sslmode=disable&connect_timeout=1"}
clickhouse: {addresses: ["http://127.0.0.1:1"], database: quipu}
files: files
`)
	_, err := app.PlanCluster(t.Context(), cfg, app.Process{})
	for _, want := range []string{"PostgreSQL, state: ", "PostgreSQL, documents: ", "ClickHouse, cells: ", "ClickHouse, event rows: ", "journal: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if err != nil && strings.Contains(err.Error(), "hidden") {
		t.Errorf("a secret is in %v", err)
	}
}
