package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

// TestMoveBackNeedsJournal has the data of a cluster not leave while its journal cannot be read from where the command runs, or with a file that names another one: what nodes accept meanwhile would not
// be found.
func TestMoveBackNeedsJournal(t *testing.T) {
	stores := clustered.NewStores(t)
	node := testkit.New(t, stores.Node())
	a := node.CreateApp("shop", "UTC")
	post := func(device string) {
		t.Helper()
		if r := node.Post("/i", "app_key", a.Key, "device_id", device, "begin_session", "1"); r.Status != http.StatusOK {
			t.Fatalf("/i: %d %s", r.Status, r.Body)
		}
		node.Flush()
	}
	post("d1")
	// The same file with another server of NATS, which has an empty journal of that name, and with one that has none.
	other, none := natstest.Start(t, natstest.Options{}), natstest.Start(t, natstest.Options{})
	j, err := jetstream.Open(t.Context(), other.Connect(), jetstream.Options{Partitions: 4, Replicas: 1, MaxBytes: 64 << 20, MaxAppend: 1 << 20})
	if err == nil {
		err = j.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(stores.File)
	if err != nil {
		t.Fatal(err)
	}
	cfg := app.DefaultConfig()
	cfg.Data, cfg.SecretKey = filepath.Join(t.TempDir(), "data"), strings.Repeat("5a", 32)
	for _, c := range []struct{ name, from, to, want, plan string }{
		{"another", stores.NATS.URL(), other.URL(), "is not the journal of this cluster", ""},
		{"none", stores.NATS.URL(), none.URL(), "must be reachable from here", "must be reachable from here"},
		{"password", "{file: nats.password}", "wrong", "must be reachable from here", "must be reachable from here"},
	} {
		cfg.Cluster = filepath.Join(filepath.Dir(stores.File), c.name+".yaml")
		if err := os.WriteFile(cfg.Cluster, []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := app.MoveBack(t.Context(), cfg, app.Process{Shared: true}, app.MoveOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Fatalf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, err := app.PlanMoveBack(t.Context(), cfg, app.Process{Shared: true}); (err == nil) != (c.plan == "") || err != nil && !strings.Contains(err.Error(), c.plan) {
			t.Errorf("%s: plan: %v, want %q", c.name, err, c.plan)
		}
	}
	post("d2")
	if got := node.Get("/readyz"); got.Status != http.StatusOK {
		t.Errorf("/readyz of the node: %d %s", got.Status, got.Body)
	}
}
