// Command sentry drives the unmodified Go SDK of Sentry, for the tests in e2e. Arguments: server URL, app key.
package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errNoMoney = errors.New("no money")

func pay() error { return fmt.Errorf("pay: %w", errNoMoney) }

func run(server, key string) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	err = sentry.Init(sentry.ClientOptions{
		Dsn: "http://" + key + "@" + u.Host + "/4", Release: "shop@6.1.0+9", Environment: "staging", AttachStacktrace: true, EnableTracing: true, TracesSampleRate: 1,
	})
	if err != nil {
		return err
	}
	sentry.ConfigureScope(func(s *sentry.Scope) {
		s.SetUser(sentry.User{ID: "sentry-go", Email: "ada@example.org"})
		s.SetTag("plan", "pro")
		s.AddAttachment(&sentry.Attachment{Filename: "cart.txt", ContentType: "text/plain", Payload: []byte("one\nitem")})
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{Category: "cart", Message: "one item", Level: sentry.LevelInfo})
	sentry.CaptureException(pay())
	sentry.CaptureMessage("the shop is closed")
	func() {
		defer func() { sentry.CurrentHub().Recover(recover()) }()
		var list []int
		_ = list[len(os.Args)]
	}()
	if !sentry.Flush(10 * time.Second) {
		return errors.New("not all was sent")
	}
	return nil
}
