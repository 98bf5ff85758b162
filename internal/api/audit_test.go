package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/topic"
)

// TestClientGone: a client that goes away in the middle of a write cannot cut it short, nor keep it out of the audit log. A read
// ends with its client.
func TestClientGone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path string
		ends bool
	}{{"/i/slow", false}, {"/o/slow-write", false}, {"/o/slow", true}} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			begun, ended, recorded := make(chan struct{}), make(chan bool, 1), make(chan error, 1)
			slow := func(ctx context.Context, _ api.Caller, _ api.None) (api.Result, error) {
				close(begun)
				select {
				case <-ctx.Done():
					ended <- true
					return api.Result{}, ctx.Err()
				case <-time.After(300 * time.Millisecond): // the connection is closed long since
					ended <- false
					return api.Success(), nil
				}
			}
			bus := hook.NewBus()
			hook.On(bus, "test", func(ctx context.Context, _ topic.Action) error {
				recorded <- ctx.Err()
				return nil
			})
			srv := serverOn(t, bus, func(g *api.Registrar) {
				access := api.Authenticated()
				if test.path == "/o/slow-write" {
					access = access.Writing()
				}
				api.Handle(g, test.path, access, slow)
			})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-begun
				cancel()
			}()
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+test.path+"?api_key=nobody", nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := srv.Client().Do(r)
			if err == nil {
				t.Fatalf("the client got an answer: %d, %v", res.StatusCode, res.Body.Close())
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if got := <-ended; got != test.ends {
				t.Errorf("ended with its client: %t, want %t", got, test.ends)
			}
			if test.ends {
				return
			}
			select {
			case err := <-recorded:
				if err != nil {
					t.Errorf("recorded with a context that has ended: %v", err)
				}
			case <-time.After(10 * time.Second):
				t.Error("not recorded")
			}
		})
	}
}
