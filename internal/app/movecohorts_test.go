package app_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/testkit"
)

// copiedMembers is how members of cohorts are stored.
type copiedMembers struct {
	ID   string `json:"_id"`
	Bits string `json:"bits"`
}

func (m copiedMembers) Key() string   { return m.ID }
func (copiedMembers) Validate() error { return nil }

// TestMoveCohorts pauses a server right after users came into cohorts and were merged: the documents that a cluster gets have the members that the server shows, although these
// are held in memory and stored later.
func TestMoveCohorts(t *testing.T) {
	t.Parallel()
	for name, memory := range map[string]int64{"live": 128 << 20, "on schedule": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
				c.Modules = map[string]any{"cohorts": map[string]any{"live_memory": memory}}
			}))
			made := srv.CreateApp("shop", "UTC")
			buys := func(device string) {
				srv.Ingest(made, device, "events", `[{"key":"buy","count":1}]`)
			}
			add := func(pairs ...string) string {
				t.Helper()
				var out struct{ Result string }
				testkit.Decode(t, srv.Admin("/i/cohorts/add", append([]string{"app_id", made.ID}, pairs...)...), &out)
				return out.Result
			}
			buys("a")
			buys("b")
			srv.Flush()
			cohort := add("cohort_name", "Buyers", "steps", `[{"type":"did","event":"buy","period":"7days","query":{}}]`)
			group := add("cohort_name", "Friends", "type", "manual")
			srv.Admin("/i/cohorts/add_users", "app_id", made.ID, "cohort", group, "text", "b")
			for began := time.Now(); !strings.Contains(srv.Admin("/o", "app_id", made.ID, "method", "get_cohort", "cohort", cohort), `"state":"completed"`); time.Sleep(10 * time.Millisecond) {
				if time.Since(began) > 30*time.Second {
					t.Fatal("the cohort is not calculated")
				}
			}
			srv.Ingest(made, "known", "begin_session", "1")
			srv.Ingest(made, "known", "old_device_id", "b")
			buys("c")

			a := srv.App().(*app.App)
			if err := a.BeginMove(t.Context()); err != nil {
				t.Fatal(err)
			}
			open, err := a.Pause(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer open()
			shown := func() map[string][]uint32 {
				out := map[string][]uint32{}
				var list struct {
					Rows []struct {
						UID string                       `json:"uid"`
						In  map[string]map[string]string `json:"chr"`
					} `json:"aaData"`
				}
				testkit.Decode(t, srv.Admin("/o", "app_id", made.ID, "method", "user_details", "sort", `{"uid":1}`), &list)
				for _, row := range list.Rows {
					for id := range row.In {
						var uid uint32
						if _, err := fmt.Sscan(row.UID, &uid); err != nil {
							t.Fatal(err)
						}
						out[id] = append(out[id], uid)
					}
				}
				return out
			}()
			path, err := a.CopyDocuments(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			copied, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			id, err := model.ParseID(made.ID)
			if err != nil {
				t.Fatal(err)
			}
			for cohort, least := range map[string]int{cohort: 2, group: 1} {
				m, err := docs.Spec[copiedMembers]{Name: "cohorts.members", Version: 1}.In(copied, id).Get(t.Context(), cohort)
				if err != nil {
					t.Fatal(err)
				}
				bits, err := base64.StdEncoding.DecodeString(m.Bits)
				if err != nil {
					t.Fatal(err)
				}
				of := roaring.New()
				if err := of.UnmarshalBinary(bits); err != nil {
					t.Fatal(err)
				}
				if got, want := of.ToArray(), slices.Sorted(slices.Values(shown[cohort])); !slices.Equal(got, want) || len(want) < least {
					t.Errorf("stored %v, shown %v", got, want)
				}
			}
			if err := copied.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
