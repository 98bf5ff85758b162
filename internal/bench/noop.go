package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// ServeNoop serves a handler on loopback that reads bodies and answers as an
// ingestion endpoint does: what net/http alone can do. It runs until ctx is done.
func ServeNoop(ctx context.Context, out io.Writer) error {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	answer := []byte(`{"result":"Success"}`)
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the client is gone
		}
		w.Header()["Content-Type"] = []string{"application/json"}
		_, _ = w.Write(answer) // as above
	})}
	fmt.Fprintf(out, "noop serves on http://%s\n", ln.Addr())
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
