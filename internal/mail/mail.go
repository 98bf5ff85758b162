// Package mail sends e-mail through the operator's mail server.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/mail"
	"sync/atomic"
	"time"

	gomail "github.com/wneessen/go-mail"

	"quipu/internal/fault"
	"quipu/internal/tracing"
)

// TLS says how a connection to the mail server is protected.
type TLS string

// The ways. The zero value is none of them.
const (
	StartTLS      TLS = "starttls"      // the server must offer it
	Opportunistic TLS = "opportunistic" // when the server offers it
	Implicit      TLS = "implicit"      // from the first byte on, as on port 465
	NoTLS         TLS = "none"
)

// Config says where mail goes. An empty Host switches e-mail off.
type Config struct {
	Host     string
	Port     int
	Username string // "" = the server asks for no log-in
	Password string
	From     string // address, as "Quipu <quipu@example.org>"
	TLS      TLS
	// Roots verify the server's certificate; nil = those of the system. Only tests set it.
	Roots *tls.Config
}

// Validate reports every fault of a configuration that is switched on.
func (c Config) Validate() error {
	if c.Host == "" {
		return nil
	}
	var errs []error
	if c.Port < 1 || c.Port > 65535 {
		errs = append(errs, fmt.Errorf("mail.port: %d is not a port", c.Port))
	}
	if _, err := mail.ParseAddress(c.From); err != nil {
		errs = append(errs, fmt.Errorf("mail.from: %q is not an address: %w", c.From, err))
	}
	switch c.TLS {
	case StartTLS, Opportunistic, Implicit, NoTLS:
	default:
		errs = append(errs, fmt.Errorf("mail.tls: %q is none of starttls, opportunistic, implicit, none", c.TLS))
	}
	return errors.Join(errs...)
}

// timeout bounds one exchange with the mail server.
const timeout = 15 * time.Second

// Sender sends messages. It is safe for concurrent use.
type Sender struct{ cfg atomic.Pointer[Config] }

// New returns a sender. An unusable configuration is an error; one without a host gives a sender
// that is off.
func New(cfg Config) (*Sender, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Sender{}
	s.cfg.Store(&cfg)
	return s, nil
}

// Configure applies cfg, which must be valid, to later messages and reports whether it differs from the previous one.
func (s *Sender) Configure(cfg Config) (changed bool) {
	if cfg == *s.cfg.Load() {
		return false
	}
	s.cfg.Store(&cfg)
	return true
}

// On reports whether the operator has set e-mail up.
func (s *Sender) On() bool { return s.cfg.Load().Host != "" }

// Message is an e-mail. Text must be given, HTML may be.
type Message struct {
	To      string
	Subject string
	Text    string
	HTML    string
}

// Send hands a message to the mail server and returns once the server has taken it. Faults:
// mail.off and mail.failed (Unavailable), mail.bad_address (Invalid).
func (s *Sender) Send(ctx context.Context, m Message) error {
	cfg := s.cfg.Load()
	if cfg.Host == "" {
		return fault.New(fault.Unavailable, "mail.off", "E-mail is not set up on this server")
	}
	msg := gomail.NewMsg()
	if err := msg.To(m.To); err != nil {
		return fault.Wrap(err, fault.Invalid, "mail.bad_address", "This is not an e-mail address")
	}
	if err := msg.From(cfg.From); err != nil {
		return fmt.Errorf("sender address: %w", err)
	}
	msg.Subject(m.Subject)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	ctx, ended := tracing.Start(ctx, "mail.send", tracing.Text("server.address", cfg.Host))
	client, err := gomail.NewClient(cfg.Host, cfg.options()...)
	if err == nil {
		err = client.DialAndSendWithContext(ctx, msg)
	}
	ended(err)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "mail.failed", "The mail server did not accept the message")
	}
	return nil
}

func (c *Config) options() []gomail.Option {
	out := []gomail.Option{gomail.WithPort(c.Port), gomail.WithTimeout(timeout)}
	if c.Roots != nil {
		out = append(out, gomail.WithTLSConfig(c.Roots))
	}
	switch c.TLS {
	case StartTLS:
		out = append(out, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case Opportunistic:
		out = append(out, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	case Implicit:
		out = append(out, gomail.WithSSL())
	case NoTLS:
		out = append(out, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if c.Username != "" {
		out = append(out, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(c.Username), gomail.WithPassword(c.Password))
	}
	return out
}
