package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"

	"quipu/internal/api"
)

// shellData is what the shell's template sees.
type shellData struct {
	Base, Nonce, CSRF, Icon, Style, Build string
}

// dashboard serves the shell of the single-page application, whose own router
// takes every path below /dashboard/.
func (s *Site) dashboard(w http.ResponseWriter, r *http.Request) error {
	session, signedIn, err := s.session(r)
	if err != nil {
		return err
	}
	if !signedIn {
		if below(r.URL.RequestURI()) == "" {
			return s.redirect(w, "/login")
		}
		return s.redirect(w, "/login?"+url.Values{"next": {r.URL.RequestURI()}}.Encode())
	}
	s.renameSession(w, r, session)
	d := shellData{Base: s.opts.Base, Nonce: newToken(), CSRF: session.CSRF, Icon: s.opts.Base + s.icon, Style: s.opts.Base + s.style, Build: s.build}
	var body bytes.Buffer
	if err := s.shell.Execute(&body, d); err != nil {
		return fmt.Errorf("render the shell: %w", err)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", fmt.Sprintf(shellPolicy, d.Nonce))
	// Heat maps open pages of a site in windows that keep the name they were given; under same-origin they would lose it.
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Content-Type", "text/html; charset=utf-8")
	// The page holds the token of the session, so it is not compressed for a request that another site may have caused.
	_ = api.WriteBody(w, r, http.StatusOK, body.Bytes(), api.SameOrigin(r)) // a client that left is nobody's concern
	return nil
}
