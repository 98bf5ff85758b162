package analytics_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestWalkFilterOfCohorts compares what figures of cohorts are, which are made of rows that are held by user once they were asked for several times, with what they are
// when the same rows are read for each answer, while rows arrive, late ones too, and people are merged, deleted, and put into cohorts.
func TestWalkFilterOfCohorts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(time.Date(2030, 9, 25, 0, 0, 0, 0, time.UTC)))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3)) // not for secrets
	for _, zone := range []string{"Europe/Berlin", "Asia/Kolkata"} {
		now := time.Date(2030, 9, 25, 0, 0, 0, 0, time.UTC)
		s.Clock().Set(now)
		app := s.CreateApp(zone, zone)
		cohort := func(name string) (id string) {
			var res struct{ Result string }
			if err := json.Unmarshal([]byte(s.Admin("/i/cohorts/add", "app_id", app.ID, "cohort_name", name, "type", "manual")), &res); err != nil {
				t.Fatal(err)
			}
			return res.Result
		}
		vip, old := cohort("VIP"), cohort("Old")
		filters := []string{
			fmt.Sprintf(`{"chr":%q}`, vip), fmt.Sprintf(`{"chr":{"$ne":%q}}`, vip), fmt.Sprintf(`{"chr":{"$in":[%q,%q]}}`, vip, old), fmt.Sprintf(`{"chr":{"$all":[%q,%q]}}`, vip, old),
			fmt.Sprintf(`{"$or":[{"chr.%s":true},{"chr.%s.in":"true"}]}`, vip, old), fmt.Sprintf(`{"chr":%q,"chr.%s":{"$exists":false}}`, old, vip), `{"chr":"none"}`, `{"chr":{"$nin":["none"]}}`,
			fmt.Sprintf(`{"chr":{"$in":[%q,null]}}`, vip), fmt.Sprintf(`{"$nor":[{"chr":%q},{"chr":%q}]}`, vip, old),
		}
		for round := range 7 {
			now = randomRequests(t, s, app.Key, r, now, 60)
			switch round {
			case 1, 4:
				for _, id := range []string{vip, old} {
					s.Admin("/i/cohorts/add_users", "app_id", app.ID, "cohort", id, "text", fmt.Sprintf("u%d\nu%d\nu%d", r.IntN(12), r.IntN(12), r.IntN(12)))
				}
			case 2, 3:
				for range 3 {
					s.Post("/i", "app_key", app.Key, "device_id", fmt.Sprintf("u%d", r.IntN(12)), "old_device_id", fmt.Sprintf("u%d", r.IntN(12)))
				}
				s.Flush()
			case 5:
				s.Admin("/i/app_users/delete", "app_id", app.ID, "query", `{"did":"u3"}`, "force", "true")
			}
			for _, read := range reads {
				if r.IntN(2) == 0 {
					continue // each is asked in some rounds
				}
				path, query, _ := strings.Cut(read, "?")
				values, err := url.ParseQuery(query)
				if err != nil {
					t.Fatal(err)
				}
				pairs := []string{"app_id", app.ID, "api_key", s.Key}
				for name, v := range values {
					pairs = append(pairs, name, v[0])
				}
				f := filters[r.IntN(len(filters))]
				want := s.Get(path, append(pairs, "filter", `{"$and":[`+f+`,`+everyRow+`]}`)...)
				for range 3 { // what was missed twice is held some time later
					got := s.Get(path, append(pairs, "filter", f)...)
					if got.Body != want.Body || got.Status != 200 || want.Status != 200 {
						t.Errorf("round %d: %s of %s in %s:\nread %d %s\nheld %d %s", round, read, f, zone, want.Status, want.Body, got.Status, got.Body)
					}
				}
			}
		}
	}
}
