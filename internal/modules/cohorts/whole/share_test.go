package whole_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestShared runs two nodes of a cluster, of which each projects some of the apps. What people define on one, and what devices send to one, makes members on
// both, also when one node has ended and the other has taken its apps over, and when it is back.
func TestShared(t *testing.T) {
	stores := clustered.NewStores(t)
	node := func() *testkit.Server {
		t.Helper()
		return testkit.New(t, testkit.At(start), stores.Node())
	}
	one, two := node(), node()
	nodes := []*testkit.Server{one, two}
	type made struct {
		testkit.TestApp
		id   string
		want []string
	}
	var list []*made
	for i := range 4 {
		a := &made{TestApp: one.CreateApp(fmt.Sprint("app", i), "UTC")}
		list = append(list, a)
	}
	known := func(s *testkit.Server, a testkit.TestApp) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); s.Get("/o/sdk", "method", "sc", "app_key", a.Key, "device_id", "d").Status != 200; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("an app that one node made is not known to the other")
			}
		}
	}
	began := time.Now()
	known(two, list[3].TestApp)
	t.Logf("an app is known to the other node %v later", time.Since(began))
	all := func(what string, from ...*testkit.Server) {
		t.Helper()
		began := time.Now()
		for i, a := range list {
			for k, s := range from {
				var got []string
				for end := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Millisecond) {
					if got, _ = uids(t, s, a.TestApp, a.id); slices.Equal(got, a.want) {
						break
					}
					if time.Now().After(end) {
						t.Fatalf("%s: app %d, node %d: members %v, want %v", what, i, k, got, a.want)
					}
				}
			}
		}
		t.Logf("%s: all members after %v", what, time.Since(began).Round(100*time.Millisecond))
	}
	for i, a := range list {
		known(nodes[i%2], a.TestApp)
		fill(nodes[i%2], a.TestApp)
		a.id, _ = add(nodes[(i+1)%2], a.TestApp, "cohort_name", "Buyers", "steps", buyers)
		a.want = []string{"1", "2"}
	}
	all("a new cohort", nodes...)
	event := func(s *testkit.Server, a *made, device, uid string) {
		t.Helper()
		send(s, a.TestApp, device, "buy", `{}`, time.Minute)
		a.want = append(a.want, uid)
		slices.Sort(a.want)
	}
	for i, a := range list {
		event(nodes[i%2], a, "d3", "3")
	}
	all("an event", nodes...)
	for i, a := range list {
		nodes[i%2].Admin("/i/cohorts/edit", "app_id", a.ID, "cohort_id", a.id, "cohort_name", "Lookers", "steps", `[{"type":"did","event":"see","period":"7days"}]`, "visibility", "global")
		a.want = []string{"3"}
	}
	all("other conditions", nodes...)
	for i, a := range list {
		send(nodes[i%2], a.TestApp, "d1", "see", `{}`, time.Minute)
		a.want = []string{"1", "3"}
	}
	all("an event for these", nodes...)

	one.Stop()
	for _, a := range list {
		send(two, a.TestApp, "d2", "see", `{}`, time.Minute)
		a.want = []string{"1", "2", "3"}
	}
	all("the other node alone", two)
	one.Start()
	for _, a := range list {
		two.Ingest(a.TestApp, "d4", "begin_session", "1")
		send(two, a.TestApp, "d4", "see", `{}`, time.Minute)
		a.want = []string{"1", "2", "3", "4"}
	}
	all("a node that is back", nodes...)
}
