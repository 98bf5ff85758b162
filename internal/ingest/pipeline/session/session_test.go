package session_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/model"
)

const (
	ms0      = int64(1_900_000_000_000)
	cooldown = int64(15_000)
	hour     = int64(3_600_000)
)

func begin(offset uint64, ts int64) session.Begin {
	return session.Begin{Offset: offset, TS: ts, Received: ts + 500, Cooldown: cooldown}
}

func TestStart(t *testing.T) {
	t.Parallel()
	ended := func() *model.Profile {
		p := &model.Profile{}
		session.Start(p, begin(1, ms0))
		session.Add(p, 20)
		session.End(p, ms0+60_000)
		return p
	}
	tests := []struct {
		name    string
		profile func() *model.Profile
		begin   session.Begin
		want    session.Result
		open    model.SessionState
	}{
		{
			name: "first session", profile: func() *model.Profile { return &model.Profile{} },
			begin: begin(7, ms0),
			want:  session.Result{Began: &session.Began{ID: 7, TS: ms0, New: true}},
			open:  model.SessionState{ID: 7, Start: ms0, Last: ms0, Seen: ms0 + 500},
		},
		{
			name: "begin while open closes first, also within the cooldown",
			profile: func() *model.Profile {
				p := &model.Profile{}
				session.Start(p, begin(1, ms0))
				session.Add(p, 12)
				return p
			},
			begin: begin(2, ms0+1000),
			want: session.Result{
				Began:  &session.Began{ID: 2, TS: ms0 + 1000, Frequency: 1},
				Closed: &session.Closed{ID: 1, Start: ms0, At: ms0 + 1000, Seconds: 12},
			},
			open: model.SessionState{ID: 2, Start: ms0 + 1000, Last: ms0 + 1000, Seen: ms0 + 1500},
		},
		{
			name: "within the cooldown", profile: ended, begin: begin(2, ms0+60_000+cooldown),
			want: session.Result{Continued: true},
			open: model.SessionState{
				ID: 1, Start: ms0, Last: ms0 + 75_000, Seen: ms0 + 75_500, Seconds: 20,
				Reopened: true, ClosedAt: ms0 + 60_000, ClosedSeconds: 20,
			},
		},
		{
			name: "after the cooldown", profile: ended, begin: begin(2, ms0+60_001+cooldown),
			want: session.Result{Began: &session.Began{ID: 2, TS: ms0 + 75_001, Frequency: 1}},
			open: model.SessionState{ID: 2, Start: ms0 + 75_001, Last: ms0 + 75_001, Seen: ms0 + 75_501},
		},
		{
			name: "before the end", profile: ended, begin: begin(2, ms0+59_999),
			want: session.Result{Began: &session.Began{ID: 2, TS: ms0 + 59_999, Frequency: 1}},
			open: model.SessionState{ID: 2, Start: ms0 + 59_999, Last: ms0 + 59_999, Seen: ms0 + 60_499},
		},
		{
			name: "cooldown ignored", profile: ended,
			begin: session.Begin{Offset: 2, TS: ms0 + 60_000, Received: ms0 + 60_500},
			want:  session.Result{Began: &session.Began{ID: 2, TS: ms0 + 60_000, Frequency: 1}},
			open:  model.SessionState{ID: 2, Start: ms0 + 60_000, Last: ms0 + 60_000, Seen: ms0 + 60_500},
		},
		{
			name: "no cooldown after a time-out",
			profile: func() *model.Profile {
				p := &model.Profile{}
				session.Start(p, begin(1, ms0))
				session.Expire(p, 0, ms0+hour)
				return p
			},
			begin: begin(2, ms0+1000),
			want:  session.Result{Began: &session.Began{ID: 2, TS: ms0 + 1000, Frequency: 1}},
			open:  model.SessionState{ID: 2, Start: ms0 + 1000, Last: ms0 + 1000, Seen: ms0 + 1500},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := tt.profile()
			got := session.Start(p, tt.begin)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.open, p.Open); diff != "" {
				t.Errorf("open session (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReopenedSessionIsCountedOnce(t *testing.T) {
	t.Parallel()
	p := &model.Profile{}
	session.Start(p, begin(1, ms0))
	session.Add(p, 5)
	first := session.End(p, ms0+5000)
	session.Start(p, begin(2, ms0+10_000))
	session.Add(p, 30)
	second := session.End(p, ms0+40_000)
	want := &session.Closed{
		ID: 1, Start: ms0, At: ms0 + 40_000, Seconds: 35, Reopened: true, ClosedAt: ms0 + 5000, ClosedSeconds: 5,
	}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("second close (-want +got):\n%s", diff)
	}
	if first.Reopened || p.Sessions != 1 || p.TotalDuration != 35 || p.LastDuration != 35 {
		t.Errorf("got first %+v, profile %+v", first, p)
	}
}

func TestExpire(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		id     uint64
		before int64
		want   *session.Closed
	}{
		{"any session", 0, ms0 + 70_501, &session.Closed{ID: 1, Start: ms0, At: ms0 + 70_000, Seconds: 3}},
		{"the session", 1, ms0 + 70_501, &session.Closed{ID: 1, Start: ms0, At: ms0 + 70_000, Seconds: 3}},
		{"another session", 2, ms0 + 70_501, nil},
		{"a sign of life since", 1, ms0 + 70_500, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &model.Profile{}
			session.Start(p, begin(1, ms0))
			session.Add(p, 3)
			session.Touch(p, ms0+70_000, ms0+70_500)
			session.Touch(p, ms0+10_000, ms0+10_500) // out of order: no step back
			if diff := cmp.Diff(tt.want, session.Expire(p, tt.id, tt.before)); diff != "" {
				t.Errorf("closed (-want +got):\n%s", diff)
			}
			if open := p.Open.ID != 0; open != (tt.want == nil) {
				t.Errorf("open = %v", open)
			}
		})
	}
}

func TestNothingOpen(t *testing.T) {
	t.Parallel()
	p := &model.Profile{}
	session.Add(p, 10)
	session.Touch(p, ms0, ms0)
	if c := session.End(p, ms0); c != nil {
		t.Errorf("end = %+v", c)
	}
	if c := session.Expire(p, 0, ms0+hour); c != nil {
		t.Errorf("expire = %+v", c)
	}
	if c := session.Abandon(p); c != nil {
		t.Errorf("abandon = %+v", c)
	}
	if diff := cmp.Diff(&model.Profile{TotalDuration: 10}, p); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
}

func TestFrequency(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		after int64 // s
		want  int
	}{
		{-3600, 1},
		{0, 1},
		{5, 1},
		{24*3600 - 1, 1},
		{24 * 3600, 2},
		{48*3600 - 1, 2},
		{48 * 3600, 3},
		{72 * 3600, 4},
		{96 * 3600, 5},
		{120 * 3600, 6},
		{144 * 3600, 7},
		{168 * 3600, 8},
		{192*3600 - 1, 8},
		{192 * 3600, 9},
		{360*3600 - 1, 9},
		{360 * 3600, 10},
		{744*3600 - 1, 10},
		{744 * 3600, 11},
		{9000 * 3600, 11},
	} {
		p := &model.Profile{Sessions: 1, LastSession: ms0 / 1000}
		if got := session.Frequency(p, ms0+tt.after*1000); got != tt.want {
			t.Errorf("%d s after: got %d, want %d", tt.after, got, tt.want)
		}
	}
	if got := session.Frequency(&model.Profile{}, ms0); got != 0 {
		t.Errorf("first session: got %d", got)
	}
}

func TestLength(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		seconds float64
		want    int
	}{
		{0, 0},
		{10, 0},
		{10.5, 1},
		{11, 1},
		{30, 1},
		{31, 2},
		{60, 2},
		{61, 3},
		{180, 3},
		{181, 4},
		{600, 4},
		{601, 5},
		{1800, 5},
		{1801, 6},
		{3600, 6},
		{3601, 7},
		{1e9, 7},
	} {
		if got := session.Length(tt.seconds); got != tt.want {
			t.Errorf("%v s: got %d, want %d", tt.seconds, got, tt.want)
		}
	}
}

// TestRandom holds the machine to its invariants under random calls: begun =
// sessions, closed = begun but for the one that is open, lengths add up.
func TestRandom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		p := &model.Profile{}
		var begun, closed, fresh int64
		var open, loose, lengths float64
		ts := ms0
		settle := func(c *session.Closed) {
			if c == nil {
				return
			}
			lengths += c.Seconds
			closed++
			if c.Reopened {
				lengths -= c.ClosedSeconds
				closed--
			}
		}
		for i := range 60 {
			ts += r.Int64N(40_000) - 5000
			switch r.IntN(5) {
			case 0, 1:
				res := session.Start(p, begin(uint64(i+1), ts))
				settle(res.Closed)
				if res.Began != nil {
					begun++
					if res.Began.New {
						fresh++
					}
				}
				if (res.Began != nil) == res.Continued {
					t.Fatalf("began and continued at once, or neither: %+v", res)
				}
			case 2:
				if p.Open.ID != 0 {
					open += 8
				} else {
					loose += 8
				}
				session.Add(p, 8)
			case 3:
				settle(session.End(p, ts))
			case 4:
				session.Touch(p, ts, ts)
				settle(session.Expire(p, p.Open.ID, ts-30_000))
			}
		}
		settle(session.Abandon(p))
		got := fmt.Sprint(p.Sessions, closed, p.TotalDuration, lengths, fresh)
		want := fmt.Sprint(begun, begun, open+loose, open, min(begun, 1))
		if got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}
