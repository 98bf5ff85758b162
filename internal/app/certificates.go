package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// TLSConfig says how the public listener speaks TLS. Without files and domains it does not: a proxy in front does.
type TLSConfig struct {
	// CertFile and KeyFile hold the chain of certificates and its key, in PEM.
	CertFile string `koanf:"cert_file"`
	KeyFile  string `koanf:"key_file"`
	// ACMEDomains are names for which certificates are had from a certificate authority by ACME. To name any is to agree to its terms.
	ACMEDomains []string `koanf:"acme_domains"`
	// ACMEEmail is where the authority may write.
	ACMEEmail string `koanf:"acme_email"`
	// ACMEDirectory is the address of the authority; "" = Let's Encrypt.
	ACMEDirectory string `koanf:"acme_directory"`
	// ACMECAFile holds the certificates, in PEM, by which an authority of one's own is known; "" = those of the system.
	ACMECAFile string `koanf:"acme_ca_file"`
	// RedirectListen is HOST:PORT of a listener of plain HTTP that leads to the public one, and where an authority may look; "" = none.
	RedirectListen string `koanf:"redirect_listen"`
}

// on reports whether the public listener speaks TLS.
func (c TLSConfig) on() bool { return c.CertFile != "" || c.KeyFile != "" || len(c.ACMEDomains) > 0 }

// faults lists what is wrong with it, as key and text.
func (c TLSConfig) faults() (out [][2]string) {
	bad := func(key, format string, args ...any) {
		out = append(out, [2]string{"tls." + key, fmt.Sprintf(format, args...)})
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		bad("cert_file", "needs tls.key_file, and that needs it")
	}
	if c.CertFile != "" && len(c.ACMEDomains) > 0 {
		bad("acme_domains", "is set beside tls.cert_file; certificates come from one of the two")
	}
	for _, d := range c.ACMEDomains {
		if name := strings.Trim(d, "."); name != d || !strings.Contains(name, ".") || strings.ContainsAny(d, "/:* ") || net.ParseIP(d) != nil {
			bad("acme_domains", "%q is no full name of a host", d)
		}
	}
	if c.ACMEDirectory != "" && !strings.HasPrefix(c.ACMEDirectory, "https://") {
		bad("acme_directory", "%q does not begin with https://", c.ACMEDirectory)
	}
	if c.RedirectListen != "" {
		if text := checkListen(c.RedirectListen); text != "" {
			bad("redirect_listen", "%s", text)
		}
		if !c.on() {
			bad("redirect_listen", "needs certificates: tls.cert_file or tls.acme_domains")
		}
	}
	return out
}

// acmeFolder, in a data folder, holds the account and the certificates that were had by ACME.
const acmeFolder = "acme"

// lookEvery is how often files with certificates are looked at.
const lookEvery = time.Minute

// acmeTimeout bounds one request to a certificate authority.
const acmeTimeout = time.Minute

// certificates are what the public listener shows. The nil value speaks no TLS.
type certificates struct {
	files   atomic.Pointer[certFiles]
	manager *autocert.Manager // nil = files
}

// certFiles is a pair of files as it was read.
type certFiles struct {
	cert, key string
	seen      [2]time.Time // of change
	pair      tls.Certificate
}

// openCertificates reads the files, or prepares ACME; nil where no TLS is configured.
func openCertificates(cfg Config) (*certificates, error) {
	c := &certificates{}
	switch {
	case !cfg.TLS.on():
		return nil, nil
	case cfg.TLS.CertFile != "":
		f, err := readCertificates(cfg.TLS)
		if err != nil {
			return nil, err
		}
		c.files.Store(f)
		return c, nil
	}
	client := &acme.Client{DirectoryURL: cfg.TLS.ACMEDirectory, UserAgent: "quipu/" + release, HTTPClient: &http.Client{Timeout: acmeTimeout}}
	if client.DirectoryURL == "" {
		client.DirectoryURL = autocert.DefaultACMEDirectory
	}
	if cfg.TLS.ACMECAFile != "" {
		text, err := os.ReadFile(cfg.TLS.ACMECAFile)
		if err != nil {
			return nil, fmt.Errorf("tls.acme_ca_file: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("tls.acme_ca_file: %s holds no certificate", cfg.TLS.ACMECAFile)
		}
		client.HTTPClient.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	}
	c.manager = &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(cfg.Data, acmeFolder)),
		HostPolicy: autocert.HostWhitelist(cfg.TLS.ACMEDomains...), Email: cfg.TLS.ACMEEmail, Client: client,
	}
	return c, nil
}

// readCertificates reads a pair of files. What has expired is shown all the same: a client may not mind.
func readCertificates(cfg TLSConfig) (*certFiles, error) {
	f := &certFiles{cert: cfg.CertFile, key: cfg.KeyFile, seen: changed(cfg.CertFile, cfg.KeyFile)}
	var err error
	if f.pair, err = tls.LoadX509KeyPair(cfg.CertFile, cfg.KeyFile); err != nil {
		return nil, fmt.Errorf("tls.cert_file %s with tls.key_file %s: %w", cfg.CertFile, cfg.KeyFile, err)
	}
	return f, nil
}

// changed returns when files were changed last; the zero time for what is not there.
func changed(cert, key string) (at [2]time.Time) {
	for i, path := range []string{cert, key} {
		if st, err := os.Stat(path); err == nil {
			at[i] = st.ModTime()
		}
	}
	return at
}

// config is what the listener speaks: HTTP/1.1 over TLS 1.2 or later.
func (c *certificates) config() *tls.Config {
	out := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	if c.manager != nil {
		out.GetCertificate = c.manager.GetCertificate
		out.NextProtos = append(out.NextProtos, acme.ALPNProto)
		return out
	}
	out.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &c.files.Load().pair, nil }
	return out
}

// reload reads the files once more; with an error it goes on with those that it has.
func (c *certificates) reload(cfg TLSConfig) error {
	if c == nil || c.manager != nil || cfg.CertFile == "" {
		return nil
	}
	f, err := readCertificates(cfg)
	if err != nil {
		return err
	}
	c.files.Store(f)
	return nil
}

// watch reads the files again when they have changed, until ctx is done. Programs that renew certificates may also send SIGHUP.
func (c *certificates) watch(ctx context.Context, log *slog.Logger) {
	if c == nil || c.manager != nil {
		return
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.look(ctx, log)
		}
	}
}

// look reads the files again if they have changed. Files that do not match, as between two writes, are looked at again.
func (c *certificates) look(ctx context.Context, log *slog.Logger) {
	had := c.files.Load()
	if changed(had.cert, had.key) == had.seen {
		return
	}
	if err := c.reload(TLSConfig{CertFile: had.cert, KeyFile: had.key}); err != nil {
		log.ErrorContext(ctx, "the certificates have changed and cannot be read; those from before are shown", slog.Any("error", err))
		return
	}
	log.InfoContext(ctx, "certificates were read", slog.Time("until", c.until()))
}

// until is when the certificate of the files ends; the zero time by ACME.
func (c *certificates) until() time.Time {
	if c == nil || c.manager != nil {
		return time.Time{}
	}
	leaf := c.files.Load().pair.Leaf
	if leaf == nil {
		return time.Time{}
	}
	return leaf.NotAfter
}

// over has a listener speak TLS.
func (c *certificates) over(ln net.Listener) net.Listener {
	if c == nil {
		return ln
	}
	return tls.NewListener(ln, c.config())
}

// tlsKey finds the connection in the context of a request over TLS.
type tlsKey struct{}

// noteTLS keeps a connection over TLS for the requests that come on it.
func noteTLS(ctx context.Context, c net.Conn) context.Context {
	if in, ok := c.(interface{ NetConn() net.Conn }); ok {
		if t, ok := in.NetConn().(*tls.Conn); ok {
			return context.WithValue(ctx, tlsKey{}, t)
		}
	}
	return ctx
}

// tellTLS gives requests over TLS their state. net/http does not see it below the listener that charges what arrives.
func tellTLS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t, ok := r.Context().Value(tlsKey{}).(*tls.Conn); ok {
			state := t.ConnectionState()
			r.TLS = &state
		}
		next.ServeHTTP(w, r)
	})
}

// redirects leads from plain HTTP to the public listener, and answers the questions of a certificate authority.
func (c *certificates) redirects(public net.Addr) http.Handler {
	port := ""
	if tcp, ok := public.(*net.TCPAddr); ok && tcp.Port != 443 {
		_, port, _ = net.SplitHostPort(tcp.String())
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if strings.Trim(host, "[]") == "" {
			http.Error(w, "Bad Request", http.StatusBadRequest)
			return
		}
		if port != "" {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		w.Header().Set("Connection", "close")
		w.Header().Set("Location", "https://"+host+r.URL.RequestURI())
		w.WriteHeader(http.StatusPermanentRedirect) // with the body, for clients that send data
	})
	if c.manager != nil {
		return c.manager.HTTPHandler(h)
	}
	return h
}

// serveRedirects serves on ln until ctx is done.
func (c *certificates) serveRedirects(ctx context.Context, ln net.Listener, public net.Addr) error {
	srv := &http.Server{
		Handler: c.redirects(public), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: headerTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // what it says tells nothing
	defer stop()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve redirects: %w", err)
	}
	return nil
}
