package wiretest_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/period"
	"quipu/internal/testkit"
)

// TestWindowOfZones reads numbers with the days of another time zone: the object of the period names exactly the
// days and the instants that the numbers are of, also where clocks change and offsets are no whole hours.
func TestWindowOfZones(t *testing.T) {
	t.Parallel()
	// A day after Lord Howe's clocks changed; within 40 days those of New York and Madrid do too.
	now := time.Date(2031, 4, 7, 9, 40, 0, 0, time.UTC)
	s := server(t, testkit.At(now))
	var sent []int64
	var items []string
	for at := now.AddDate(0, 0, -45).UnixMilli(); at < now.UnixMilli(); at += 30 * 60_000 {
		sent = append(sent, at)
		items = append(items, fmt.Sprintf(`{"device_id":"d","timestamp":%d,"events":[{"key":"e"}]}`, at))
	}
	for _, zone := range []string{"UTC", "Asia/Kolkata", "America/New_York", "Australia/Lord_Howe"} {
		app := s.CreateApp(zone, zone)
		done(t, "bulk", s.Post("/i/bulk", "app_key", app.Key, "requests", "["+strings.Join(items, ",")+"]"))
		s.Flush()
		for _, of := range []string{"", "UTC", "Pacific/Chatham", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Madrid"} {
			for _, p := range []string{"today", "yesterday", "3days", "40days", "month", "[" + strconv.FormatInt(sent[5], 10) + "," + strconv.FormatInt(sent[200], 10) + "]"} {
				name := strings.Join([]string{zone, of, p}, " ")
				read := []string{"app_id", app.ID, "period", p, "timezone", of}
				var object struct {
					Start, End int64
					Days       []string `json:"currentPeriodArr"`
				}
				testkit.Decode(t, s.Admin("/o", append(read, "method", "get_period_obj")...), &object)
				var rows []struct {
					ID string `json:"_id"`
					C  int
				}
				testkit.Decode(t, s.Admin("/o/analytics/events", append(read, "event", "e", "bucket", "daily")...), &rows)
				got, want := 0, 0
				var days []string
				for _, r := range rows {
					got += r.C
					days = append(days, strings.ReplaceAll(r.ID, "-", "."))
				}
				for _, at := range sent {
					if object.Start <= at && at <= object.End {
						want++
					}
				}
				if got != want {
					t.Errorf("%s: %d events, of which %d happened in the period of the object", name, got, want)
				}
				if !slices.Equal(days, object.Days) {
					t.Errorf("%s: rows of %v, days of the object %v", name, days, object.Days)
				}
			}
		}
	}
}

// TestWalkRowsOfAnyPeriodAreBounded asks for long periods in small steps: months take their place, and the sums stay.
func TestWalkRowsOfAnyPeriodAreBounded(t *testing.T) {
	t.Parallel()
	s := server(t)
	app := s.CreateApp("A", "UTC")
	var names []string
	for i := range 400 {
		names = append(names, fmt.Sprintf("%q", fmt.Sprint("e", i)))
	}
	list := "[" + strings.Join(names, ",") + "]"
	s.Ingest(app, "d", "begin_session", "1", "timestamp", noonMS, "events", `[{"key":"e0","count":3}]`)
	s.Flush()
	for _, p := range []string{"0days", "100000days", "2000weeks", "9999months", `{"since":0}`, "[0,253402000000000]"} {
		for _, step := range [][]string{{}, {"bucket", "daily"}, {"bucket", "monthly"}, {"step", "hourly"}, {"step", "daily"}, {"step", "weekly"}} {
			name := fmt.Sprint(p, step)
			read := append([]string{"app_id", app.ID, "period", p}, step...)
			var sessions []struct{ T int }
			testkit.Decode(t, s.Admin("/o/analytics/sessions", read...), &sessions)
			sum := 0
			for _, r := range sessions {
				sum += r.T
			}
			if len(sessions) > period.MaxRows || sum != 1 {
				t.Errorf("%s: %d rows of sessions with %d sessions, want at most %d with one", name, len(sessions), sum, period.MaxRows)
			}
			var events map[string][]struct{ C int }
			testkit.Decode(t, s.Admin("/o/analytics/events", append(read, "events", list)...), &events)
			points := 0
			for _, rows := range events {
				points += len(rows)
			}
			sum = 0
			for _, r := range events["e0"] {
				sum += r.C
			}
			if points > period.MaxPoints || sum != 3 {
				t.Errorf("%s: %d rows of events with a count of %d, want at most %d with 3", name, points, sum, period.MaxPoints)
			}
		}
	}
	many := "[" + strings.Repeat(`"x",`, 1000) + `"x"]`
	same(t, "too many events", s.Post("/o/analytics/events", "api_key", s.Key, "app_id", app.ID, "events", many), 400,
		wrong("Must provide valid array with event keys as events param."))
}

// TestOutcomesFollowTheZone moves apps between time zones: what was received, and what was refused at the edge, counts
// under the days of the zone in force.
func TestOutcomesFollowTheZone(t *testing.T) {
	t.Parallel()
	s := server(t, testkit.At(time.Date(2031, 5, 14, 17, 50, 0, 0, time.UTC)))
	app := s.CreateApp("A", "UTC")
	s.Ingest(app, "d", "begin_session", "1") // 14 May; in Kathmandu 23:35
	s.Flush()
	s.Clock().Set(time.Date(2031, 5, 14, 18, 20, 0, 0, time.UTC)) // in Kathmandu 15 May, 0:05
	s.Ingest(app, "d", "events", `[{"key":"e","count":2},{"count":1}]`)
	s.Post("/i", "app_key", app.Key, "device_id", "undefined")
	s.Flush()
	s.Clock().Set(time.Date(2031, 5, 15, 9, 0, 0, 0, time.UTC))
	s.Ingest(app, "e", "begin_session", "1")
	s.Flush()
	read := func(p string) string {
		return s.Admin("/o/ingest/outcomes", "app_id", app.ID, "period", p)
	}
	for _, c := range []struct{ zone, days string }{
		{"UTC", `{"2031-5-14":{"request":{"accepted":2,"ignored_device":1},"session":{"accepted":1},"event":{"accepted":1,"no_key":1}},"2031-5-15":{"request":{"accepted":1},"session":{"accepted":1}}}`},
		{"Asia/Kathmandu", `{"2031-5-14":{"request":{"accepted":1},"session":{"accepted":1}},"2031-5-15":{"request":{"accepted":2,"ignored_device":1},"session":{"accepted":1},"event":{"accepted":1,"no_key":1}}}`},
		{"Etc/GMT+12", `{"2031-5-14":{"request":{"accepted":3,"ignored_device":1},"session":{"accepted":2},"event":{"accepted":1,"no_key":1}}}`},
	} {
		s.Admin("/i/apps/update", "args", `{"app_id":"`+app.ID+`","timezone":"`+c.zone+`"}`)
		s.Flush()
		part(t, c.zone, read("3days"), c.days, "days")
		part(t, c.zone, read("3days"), `{"request":{"accepted":3,"ignored_device":1},"session":{"accepted":2},"event":{"accepted":1,"no_key":1}}`, "totals")
	}
	s.Admin("/i/apps/update", "args", `{"app_id":"`+app.ID+`","timezone":"Asia/Kathmandu"}`)
	part(t, "one day only", read("yesterday"), `{"request":{"accepted":1},"session":{"accepted":1}}`, "totals")
}
