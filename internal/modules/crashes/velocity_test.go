package crashes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestVelocity sends random sessions with crashes over two hours, and compares the groups that spread with a naive count, for windows and
// thresholds of the app's own.
func TestVelocity(t *testing.T) {
	t.Parallel()
	n := rand.Uint64()
	if *seed != 0 {
		n = *seed
	}
	t.Logf("-crash-seed=%d", n)
	r := rand.New(rand.NewPCG(n, 1)) // reproducible
	k := newKit(t)
	type sent struct {
		at           time.Time
		session      string
		user, group  string
		begins, none bool
	}
	var all []sent
	open := map[string]string{}
	var list []string
	for i := range 400 {
		k.at = k.at.Add(time.Duration(5+r.IntN(25)) * time.Second)
		device := fmt.Sprint("d", r.IntN(40))
		s := sent{at: k.at, user: device}
		body := `"begin_session":1,"ignore_cooldown":"true"`
		if open[device] == "" || r.IntN(3) == 0 {
			if open[device] == "" && r.IntN(10) == 0 { // a crash outside of any session
				body, s.none = `"crash":{"_error":"outside","_os":"iOS"}`, true
			} else {
				open[device] = fmt.Sprint(device, "/", i)
				s.begins = true
			}
		} else {
			s.group = pickOf(r, "a", "a", "a", "b", "c")
			body = fmt.Sprintf(`"crash":{"_error":%q,"_os":"iOS"}`, s.group)
		}
		s.session = open[device]
		all = append(all, s)
		list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":%q,"timestamp":%d,%s}`, k.a.Key, device, k.at.UnixMilli(), body))
	}
	k.s.Clock().Set(k.at)
	for part := range slices.Chunk(list, 50) {
		text := "["
		for i, one := range part {
			if i > 0 {
				text += ","
			}
			text += one
		}
		if res := k.s.Post("/i/bulk", "requests", text+"]"); res.Status != 200 {
			t.Fatal(res.Body)
		}
	}
	k.s.Flush()
	hidden := k.id("c")
	for _, tt := range []struct{ minutes, percent, least int }{{60, 1, 1}, {5, 1, 1}, {90, 30, 2}, {1440, 1, 10}, {60, 100, 1}, {60, 1, 1000}} {
		k.s.Admin("/i/apps/update/plugins", "app_id", k.a.ID, "args", fmt.Sprintf(`{"crashes":{"velocity_minutes":%d,"velocity_percent":%d,"velocity_sessions":%d}}`, tt.minutes, tt.percent, tt.least))
		from := k.at.Add(-time.Duration(tt.minutes) * time.Minute)
		sessions, hit, users := map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}
		for _, s := range all {
			if s.at.Before(from) || s.session == "" {
				continue
			}
			sessions[s.session] = true
			if s.group == "" {
				continue
			}
			if hit[s.group] == nil {
				hit[s.group], users[s.group] = map[string]bool{}, map[string]bool{}
			}
			hit[s.group][s.session], users[s.group][s.user] = true, true
		}
		want := map[string]string{}
		for name, in := range hit {
			if len(in) >= tt.least && len(in)*100 >= tt.percent*len(sessions) && name != "c" {
				want[name] = fmt.Sprint(len(in), len(users[name]), float64(len(in))/float64(len(sessions)))
			}
		}
		k.act("hide", fmt.Sprintf(`{"crash_id":%q}`, hidden))
		var out struct {
			Minutes  int
			Sessions int
			Groups   []struct {
				Name            string
				Sessions, Users int
				Share           float64
			}
		}
		testkit.Decode(t, k.s.Admin("/o", "method", "crash_velocity", "app_id", k.a.ID), &out)
		got := map[string]string{}
		for i, g := range out.Groups {
			got[g.Name] = fmt.Sprint(g.Sessions, g.Users, g.Share)
			if i > 0 && g.Sessions > out.Groups[i-1].Sessions {
				t.Errorf("%+v: not in order: %+v", tt, out.Groups)
			}
		}
		k.same(fmt.Sprintf("%+v", tt), []any{out.Minutes, out.Sessions, got}, []any{tt.minutes, len(sessions), want})
	}
}

// TestOfUserWithNames describes the groups that a user reported.
func TestOfUserWithNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.crash("a", "Boom\nat x", "iOS", "1", "")
	k.crash("a", "Odd", "iOS", "1", `,"_nonfatal":true`)
	k.s.Flush()
	var out struct{ AaData []object }
	testkit.Decode(t, k.s.Admin("/o", "method", "user_crashes", "app_id", k.a.ID, "uid", "1", "names", "true"), &out)
	var got []any
	for _, row := range out.AaData {
		got = append(got, row["name"], row["nonfatal"], row["reports"])
	}
	k.same("groups", got, []any{"Odd", true, 1.0, "Boom", false, 1.0})
}
