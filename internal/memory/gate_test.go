package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/memory"
)

func who(addr string) memory.Who { return memory.Address(netip.MustParseAddr(addr)) }

var (
	anna  = who("192.0.2.1")
	berta = who("192.0.2.2")
	clara = who("192.0.2.3")
)

func TestWho(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		a, b memory.Who
		same bool
	}{
		{"addresses", anna, berta, false},
		{"mapped", anna, who("::ffff:192.0.2.1"), true},
		{"IPv6 of one network", who("2001:db8:1:2::3"), who("2001:db8:1:2:ffff::1"), true},
		{"IPv6 of two networks", who("2001:db8:1:2::3"), who("2001:db8:1:3::3"), false},
		{"unknown", memory.Address(netip.Addr{}), memory.Address(netip.Addr{}), true},
		{"unknown is not the server", memory.Address(netip.Addr{}), memory.Who{}, false},
		{"members", memory.Member([12]byte{1}), memory.Member([12]byte{2}), false},
	} {
		if got := tt.a == tt.b; got != tt.same {
			t.Errorf("%s: same client: %v, want %v", tt.name, got, tt.same)
		}
	}
}

func gate(t *testing.T, o memory.GateOptions) *memory.Gate {
	t.Helper()
	g, _, _ := governor(t, 1000*mib)
	return g.NewGate(o)
}

// TestShares has clients take as much as they can, one after another.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		share int64
		who   []memory.Who
		want  []int64
	}{
		{"alone, a half", 1, []memory.Who{anna}, []int64{60}},
		{"the next finds room", 1, []memory.Who{anna, berta, clara}, []int64{60, 30, 15}},
		{"alone, three quarters", 3, []memory.Who{anna}, []int64{90}},
		{"the server takes all", 1, []memory.Who{{}}, []int64{120}},
		{"addresses of a network share", 1, []memory.Who{who("2001:db8::1"), who("2001:db8::2")}, []int64{60, 0}},
	} {
		g := gate(t, memory.GateOptions{Size: 120, Share: tt.share})
		var got []int64
		for _, w := range tt.who {
			c := g.Claim(w)
			for c.Try(1) {
			}
			got = append(got, c.Held())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestGateWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := gate(t, memory.GateOptions{Size: 20, Share: 1, Patience: time.Second})
		ctx := t.Context()
		whole := g.Claim(anna)
		if err := whole.Grow(ctx, 10); err != nil {
			t.Fatal(err)
		}
		second := g.Claim(anna)
		if err := second.Grow(ctx, 1); !errors.Is(err, memory.ErrBusy) || g.Refused() != 1 || second.Held() != 0 {
			t.Errorf("beyond the share: %v, %d refused, %d held", err, g.Refused(), second.Held())
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := second.Grow(gone, 1); !errors.Is(err, context.Canceled) || g.Refused() != 1 {
			t.Errorf("client gone: %v, %d refused", err, g.Refused())
		}
		var order []string
		var mu sync.Mutex
		enter := func(name string, w memory.Who, n int64) {
			c := g.Claim(w)
			if err := c.Grow(ctx, n); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			mu.Lock()
			order = append(order, name)
			mu.Unlock()
			c.Leave()
		}
		go enter("anna 1", anna, 4)
		synctest.Wait()
		go enter("anna 2", anna, 1)
		synctest.Wait()
		go enter("berta", berta, 4)
		synctest.Wait()
		if g.Waiting() != 2 || len(order) != 1 || order[0] != "berta" {
			t.Errorf("%d wait, %v entered, want 2 and berta", g.Waiting(), order)
		}
		whole.Leave()
		synctest.Wait()
		if g.Waiting() != 0 || g.Used() != 0 || !slices.Contains(order, "anna 1") || !slices.Contains(order, "anna 2") {
			t.Errorf("%d wait, %d used, %v entered", g.Waiting(), g.Used(), order)
		}
	})
}

// TestWhatHasBegunGoesFirst has a client's work grow while more of its work waits to begin.
func TestWhatHasBegunGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := gate(t, memory.GateOptions{Size: 20, Share: 1, Patience: time.Second})
		first, more := g.Claim(anna), g.Claim(anna)
		if err := first.Grow(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- more.Grow(t.Context(), 4) }()
		synctest.Wait()
		if err := first.Grow(t.Context(), 2); err != nil {
			t.Errorf("growing: %v", err)
		}
		if err := <-ended; !errors.Is(err, memory.ErrBusy) {
			t.Errorf("beginning: %v, want ErrBusy", err)
		}
	})
}

// TestPassing has work that fits into no share pass beside the gate: one at a time, and not forever.
func TestPassing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := gate(t, memory.GateOptions{Size: 80, Share: 1, Patience: time.Second, Passing: time.Minute})
		ctx := t.Context()
		big, other, small := g.Claim(anna), g.Claim(berta), g.Claim(clara)
		for range 20 {
			if err := big.Grow(ctx, 10); err != nil {
				t.Fatal(err)
			}
		}
		if big.Held() != 200 || g.Used() != 0 || big.Until().IsZero() {
			t.Errorf("passing: %d held, %d used, until %v", big.Held(), g.Used(), big.Until())
		}
		if err := other.Grow(ctx, 41); !errors.Is(err, memory.ErrBusy) {
			t.Errorf("a second one: %v, want ErrBusy", err)
		}
		if err := small.Grow(ctx, 20); err != nil {
			t.Errorf("work that fits: %v", err)
		}
		time.Sleep(time.Minute)
		if err := big.Grow(ctx, 1); !errors.Is(err, memory.ErrBusy) {
			t.Errorf("passing for too long: %v, want ErrBusy", err)
		}
		got := make(chan error)
		go func() { got <- other.Grow(ctx, 41) }()
		synctest.Wait()
		big.Leave()
		if err := <-got; err != nil || other.Held() != 41 {
			t.Errorf("the next one: %v, %d held", err, other.Held())
		}
		other.Leave()
		small.Leave()
		if g.Used() != 0 {
			t.Errorf("%d used at the end", g.Used())
		}
	})
}

func TestGateWaitsWhileStrained(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, _, _ := governor(t, 1000*mib)
		gate := g.NewGate(memory.GateOptions{Size: 100, Share: 3, Small: 5, Patience: 10 * time.Second})
		ctx := t.Context()
		g.Look(ctx, memory.Usage{Resident: 999 * mib})
		c := gate.Claim(anna)
		if err := c.Grow(ctx, 5); err != nil {
			t.Fatalf("small work: %v", err)
		}
		if err := c.Grow(ctx, 1); !errors.Is(err, memory.ErrBusy) || c.Held() != 5 {
			t.Fatalf("large work: %v, want ErrBusy; %d held", err, c.Held())
		}
		began := time.Now()
		time.AfterFunc(3*time.Second, func() { g.Look(ctx, memory.Usage{Resident: 500 * mib}) })
		if err := c.Grow(ctx, 50); err != nil {
			t.Fatalf("large work after the strain: %v", err)
		}
		if waited := time.Since(began); waited < 3*time.Second || waited > 4*time.Second {
			t.Errorf("waited %v", waited)
		}
		c.Leave()
	})
}

// TestGateAtRandom has many clients take and leave at random: the gate never holds more than it may, no client more
// than its share when it took it, and nothing is left at the end.
func TestGateAtRandom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	synctest.Test(t, func(t *testing.T) {
		const size = 100
		g := gate(t, memory.GateOptions{Size: size, Share: 1, Patience: 50 * time.Millisecond, Passing: time.Second})
		var wg sync.WaitGroup
		for i := range 30 {
			rnd := rand.New(rand.NewPCG(seed, uint64(i)))
			w := who(fmt.Sprintf("192.0.2.%d", 1+i%7))
			wg.Go(func() {
				for range 200 {
					c := g.Claim(w)
					for range 1 + rnd.IntN(4) {
						before, n := c.Held(), 1+rnd.Int64N(30)
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rnd.IntN(60))*time.Millisecond)
						err := c.Grow(ctx, n)
						cancel()
						if err == nil && c.Held() != before+n || err != nil && c.Held() != before {
							t.Errorf("seed %d: %d held after %d more than %d, %v", seed, c.Held(), n, before, err)
						}
						if used := g.Used(); used > size || used < 0 {
							t.Errorf("seed %d: %d of %d used", seed, used, size)
						}
						time.Sleep(time.Duration(rnd.IntN(10)) * time.Millisecond)
					}
					c.Leave()
				}
			})
		}
		wg.Wait()
		if g.Used() != 0 || g.Waiting() != 0 || g.Clients() != 0 {
			t.Errorf("seed %d: %d used, %d waiting, %d clients at the end", seed, g.Used(), g.Waiting(), g.Clients())
		}
	})
}

// TestRefusalsAreLogged turns many away within three minutes, and reads three lines.
func TestRefusalsAreLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		g := memory.New(memory.Split(1000*mib), slog.New(slog.NewTextHandler(&b, nil)), time.Now)
		gate := g.NewGate(memory.GateOptions{Name: "bodies", Size: 10, Share: 1})
		for range 179 {
			c := gate.Claim(anna)
			if c.Try(20) {
				t.Fatal("took more than there is")
			}
			time.Sleep(time.Second)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if len(lines) != 3 || gate.Refused() != 179 {
			t.Fatalf("%d lines of %d refusals:\n%s", len(lines), gate.Refused(), b.String())
		}
		for i, n := range []int{1, 60, 60} {
			if want := fmt.Sprintf("level=WARN msg=\"clients are turned away\" gate=bodies since_last=%d last=192.0.2.1", n); !strings.Contains(lines[i], want) {
				t.Errorf("line %q, want %q", lines[i], want)
			}
		}
	})
}
