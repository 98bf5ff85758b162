package plugins_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// inbox is the back end of a real SMTP server: it takes mail for one domain.
type inbox struct{ received chan string }

// NewSession implements smtp.Backend.
func (b *inbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &delivery{inbox: b}, nil }

type delivery struct {
	inbox    *inbox
	from, to string
}

// Reset implements smtp.Session.
func (d *delivery) Reset() {}

// Logout implements smtp.Session.
func (d *delivery) Logout() error { return nil }

// Mail implements smtp.Session.
func (d *delivery) Mail(from string, _ *smtp.MailOptions) error {
	d.from = from
	return nil
}

// Rcpt implements smtp.Session.
func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	if !strings.HasSuffix(to, "@example.org") {
		return &smtp.SMTPError{Code: 550, Message: "no such user"}
	}
	d.to = to
	return nil
}

// Data implements smtp.Session.
func (d *delivery) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	d.inbox.received <- d.from + "\n" + d.to + "\n" + string(body)
	return nil
}

// TestEmail sends through an SMTP server that runs here.
func TestEmail(t *testing.T) {
	box := &inbox{received: make(chan string, 4)}
	server := smtp.NewServer(box)
	server.Domain = "localhost"
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(ln) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	mailing := func(host, tls string) *testkit.Server {
		return testkit.New(t, testkit.WithConfig(func(c *app.Config) {
			c.Mail = app.MailConfig{Host: host, Port: ln.Addr().(*net.TCPAddr).Port, From: "Quipu <quipu@example.org>", TLS: tls}
		}))
	}
	s := mailing("127.0.0.1", "none")
	if got := s.Admin("/o/email_test"); got != `{"result":"OK"}` {
		t.Fatalf("answer %s", got)
	}
	text := <-box.received
	for _, want := range []string{"quipu@example.org\nadmin@example.org\n", "Subject: Quipu test message", "Hello Admin,"} {
		if !strings.Contains(text, want) {
			t.Errorf("message lacks %q:\n%s", want, text)
		}
	}
	s.Admin("/i/users/create", "args", `{"full_name":"B","username":"b","email":"b@elsewhere.test","password":"Very-secret-9","global_admin":true}`)
	refusedKey := s.APIKey("b", "Very-secret-9")
	for name, r := range map[string]testkit.Response{
		"refused recipient": s.Get("/o/email_test", "api_key", refusedKey),
		"no TLS offered": func() testkit.Response {
			s := mailing("127.0.0.1", "starttls")
			return s.Get("/o/email_test", "api_key", s.Key)
		}(),
		"not set up": func() testkit.Response { s := mailing("", "starttls"); return s.Get("/o/email_test", "api_key", s.Key) }(),
	} {
		if r.Status != http.StatusServiceUnavailable || r.Body != `{"result":"Failed"}` {
			t.Errorf("%s: %d %s, want 503 Failed", name, r.Status, r.Body)
		}
	}
	if n := len(box.received); n != 0 {
		t.Errorf("%d more messages, want none", n)
	}
}
