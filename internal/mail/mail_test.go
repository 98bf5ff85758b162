package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"quipu/internal/fault"
	"quipu/internal/mail"
)

// server is a real SMTP server that runs here. It takes mail for example.org.
type server struct {
	auth     bool // it asks for a log-in
	received chan string
}

// NewSession implements smtp.Backend.
func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &delivery{server: s}, nil }

type delivery struct {
	server *server
	known  bool
	head   string
}

// AuthMechanisms implements smtp.AuthSession.
func (d *delivery) AuthMechanisms() []string {
	if !d.server.auth {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth implements smtp.AuthSession.
func (d *delivery) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if username != "quipu" || password != "right" {
			return errors.New("no")
		}
		d.known = true
		return nil
	}), nil
}

// Reset implements smtp.Session.
func (d *delivery) Reset() {}

// Logout implements smtp.Session.
func (d *delivery) Logout() error { return nil }

// Mail implements smtp.Session.
func (d *delivery) Mail(from string, _ *smtp.MailOptions) error {
	if d.server.auth && !d.known {
		return smtp.ErrAuthRequired
	}
	d.head = from
	return nil
}

// Rcpt implements smtp.Session.
func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	if !strings.HasSuffix(to, "@example.org") {
		return &smtp.SMTPError{Code: 550, Message: "no such user"}
	}
	d.head += "\n" + to + "\n"
	return nil
}

// Data implements smtp.Session.
func (d *delivery) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	d.server.received <- d.head + string(body)
	return nil
}

// certificate makes one for 127.0.0.1 and those who trust it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// offer is what a server of the test can do.
type offer struct {
	auth     bool
	startTLS bool
	implicit bool
}

// serve runs a server until the test ends and returns its port.
func serve(t *testing.T, o offer, cert tls.Certificate) (*server, int) {
	t.Helper()
	s := &server{auth: o.auth, received: make(chan string, 1)}
	srv := smtp.NewServer(s)
	srv.Domain, srv.AllowInsecureAuth = "localhost", true
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := ln.Addr().(*net.TCPAddr).Port
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if o.startTLS {
		srv.TLSConfig = config
	}
	if o.implicit {
		ln = tls.NewListener(ln, config)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		_ = ln.Close() // the server closes it too, unless it has not got as far as to know it
		if err := <-done; err != nil && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return s, port
}

// TestSend sends to servers that can do this and that, in every way of protecting the connection.
func TestSend(t *testing.T) {
	t.Parallel()
	cert, trusted := certificate(t)
	for name, tt := range map[string]struct {
		offer    offer
		way      mail.TLS
		user     string
		password string
		distrust bool // of the server's certificate
		to       string
		code     string // of the fault; "" = it arrives
	}{
		"no TLS":                              {way: mail.NoTLS, to: "Ann <ann@example.org>"},
		"TLS if offered, offered":             {offer: offer{startTLS: true}, way: mail.Opportunistic, to: "ann@example.org"},
		"TLS if offered, not offered":         {way: mail.Opportunistic, to: "ann@example.org"},
		"TLS asked for, offered":              {offer: offer{startTLS: true}, way: mail.StartTLS, to: "ann@example.org"},
		"TLS asked for, not offered":          {way: mail.StartTLS, to: "ann@example.org", code: "mail.failed"},
		"TLS from the first byte":             {offer: offer{implicit: true}, way: mail.Implicit, to: "ann@example.org"},
		"TLS from the first byte, not spoken": {way: mail.StartTLS, offer: offer{implicit: false}, to: "ann@example.org", code: "mail.failed"},
		"a certificate nobody trusts":         {offer: offer{startTLS: true}, way: mail.StartTLS, distrust: true, to: "ann@example.org", code: "mail.failed"},
		"logged in":                           {offer: offer{auth: true, startTLS: true}, way: mail.StartTLS, user: "quipu", password: "right", to: "ann@example.org"},
		"wrong password":                      {offer: offer{auth: true, startTLS: true}, way: mail.StartTLS, user: "quipu", password: "wrong", to: "ann@example.org", code: "mail.failed"},
		"a log-in is missing":                 {offer: offer{auth: true}, way: mail.NoTLS, to: "ann@example.org", code: "mail.failed"},
		"a recipient who is not taken":        {way: mail.NoTLS, to: "ann@elsewhere.test", code: "mail.failed"},
		"no address":                          {way: mail.NoTLS, to: "ann", code: "mail.bad_address"},
		"an address with a line of its own":   {way: mail.NoTLS, to: "ann@example.org\r\nBcc: all@example.org", code: "mail.bad_address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, port := serve(t, tt.offer, cert)
			roots := &tls.Config{RootCAs: trusted, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}
			if tt.distrust {
				roots.RootCAs = x509.NewCertPool()
			}
			sender, err := mail.New(mail.Config{
				Host: "127.0.0.1", Port: port, Username: tt.user, Password: tt.password, From: "Quipu <quipu@example.org>", TLS: tt.way, Roots: roots,
			})
			if err != nil || !sender.On() {
				t.Fatalf("sender: on %v, %v", sender.On(), err)
			}
			err = sender.Send(t.Context(), mail.Message{To: tt.to, Subject: "Größe\r\nBcc: all@example.org", Text: "plain words", HTML: "<b>bold words</b>"})
			if got := fault.CodeOf(err); got != tt.code {
				t.Fatalf("fault %q, want %q: %v", got, tt.code, err)
			}
			if tt.code != "" {
				if n := len(s.received); n != 0 {
					t.Errorf("%d messages arrived", n)
				}
				return
			}
			got := <-s.received
			for _, want := range []string{"quipu@example.org\nann@example.org\n", "plain words", "<b>bold words</b>", "multipart/alternative"} {
				if !strings.Contains(got, want) {
					t.Errorf("the message lacks %q:\n%s", want, got)
				}
			}
			if strings.Contains(got, "\nBcc:") {
				t.Errorf("a subject made a header:\n%s", got)
			}
		})
	}
}

// TestOff tries to send without a mail server, and to make senders that cannot work.
func TestOff(t *testing.T) {
	t.Parallel()
	off, err := mail.New(mail.Config{Port: -1, From: "nobody"}) // nothing else counts
	if err != nil || off.On() {
		t.Fatalf("on %v, %v", off.On(), err)
	}
	if got := fault.CodeOf(off.Send(t.Context(), mail.Message{To: "ann@example.org"})); got != "mail.off" {
		t.Errorf("fault %q", got)
	}
	_, err = mail.New(mail.Config{Host: "mail.example.org", Port: 70000, From: "nobody", TLS: "maybe"})
	for _, want := range []string{"mail.port", "mail.from", "mail.tls"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
