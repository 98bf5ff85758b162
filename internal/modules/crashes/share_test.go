package crashes_test

import (
	"fmt"
	"testing"
	"time"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestSharedRules changes the rules of apps on one node of a cluster. They hold for reports that come to the other, whichever projects the app, and both show
// the groups, with users who were merged counted once.
func TestSharedRules(t *testing.T) {
	stores := clustered.NewStores(t)
	node := func() *testkit.Server {
		t.Helper()
		return testkit.New(t, testkit.At(start), stores.Node())
	}
	one, two := node(), node()
	frame := func(n int) string {
		return fmt.Sprintf("java.lang.IllegalStateException: order %d\n\tat com.shop.Cart.pay(Cart.java:%d)\n\tat android.view.View.performClick(View.java:%d)", n, n, n)
	}
	for i := range 3 {
		k := &kit{t, one, one.CreateApp(fmt.Sprint("shop", i), "UTC"), start}
		other := &kit{t, two, k.a, start}
		shows := func(what string, groups int, reports float64) {
			t.Helper()
			for _, on := range []*kit{k, other} {
				for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
					sum := 0.0
					rows := on.rows()
					for _, r := range rows {
						n, _ := r["reports"].(float64)
						sum += n
					}
					if len(rows) == groups && sum == reports {
						break
					}
					if time.Now().After(end) {
						t.Fatalf("app %d, %s: %d groups with %v reports, want %d with %v", i, what, len(rows), sum, groups, reports)
					}
				}
			}
		}
		for n := range 3 {
			k.crash(fmt.Sprint("d", n), frame(n), "Android", "1.0", "")
		}
		shows("without rules", 3, 3)
		k.applyRules(`{"algorithm":2}`, 0)
		other.crash("d9", frame(9), "Android", "1.0", "")
		shows("with rules", 1, 4)
		users := func(want float64) {
			t.Helper()
			for _, on := range []*kit{k, other} {
				for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
					rows := on.rows()
					if len(rows) == 1 && rows[0]["users"] == want {
						break
					}
					if time.Now().After(end) {
						t.Fatalf("app %d: %v, want one group with %v users", i, rows, want)
					}
					on.s.Clock().Set(on.s.Clock().Now().Add(time.Second))
				}
			}
		}
		users(4)
		other.s.Ingest(k.a, "d1", "old_device_id", "d0")
		users(3)
		other.applyRules(`{}`, 1)
		k.crash("d10", frame(10), "Android", "1.0", "")
		shows("with rules that were taken back", 5, 5)
	}
}
