package api

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Answers are compressed with gzip where that is safe. The length of a
// compressed answer tells something of what is in it: an attacker who makes
// someone's browser ask again and again, with guesses in the address that the
// answer repeats, learns a secret beside them letter by letter (BREACH). It
// takes three things, each of which is missing here:
//
//   - Requests that carry the victim's credentials: with the cookie of a
//     session, only what the browser says comes from our own origin
//     (Sec-Fetch-Site) is compressed. Keys and tokens are not sent along by a
//     browser by itself.
//   - A secret: routes whose answers hold credentials are never compressed
//     (Access.Confidential), nor are the sign-in pages.
//   - Guesses in the same answer: the page of the dashboard, which holds the
//     session's CSRF token, repeats nothing of its address.

// minCompressed is the length, in bytes, from which compressing pays.
const minCompressed = 1024

// Accepts reports whether a client takes an encoding of content.
func Accepts(r *http.Request, encoding string) bool {
	accepted := false
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != encoding && name != "*" {
			continue
		}
		weight, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		takes := !ok || err == nil && q > 0
		if name == encoding {
			return takes
		}
		accepted = takes
	}
	return accepted
}

// SameOrigin reports whether the browser says that our own page, or the person
// at the address bar, caused a request. Clients that say nothing are none of ours.
func SameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "same-origin" || site == "none"
}

// WriteBody writes an answer with its length, compressed if that is safe to do,
// the client takes it and it pays. What cannot be sent is for a client that left.
func WriteBody(w http.ResponseWriter, r *http.Request, status int, body []byte, safe bool) error {
	body = encode(w.Header(), r, body, safe)
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// encode returns the bytes that WriteBody writes and describes them in the headers.
func encode(h http.Header, r *http.Request, body []byte, safe bool) []byte {
	if safe && len(body) >= minCompressed {
		h.Add("Vary", "Accept-Encoding")
		if Accepts(r, "gzip") {
			// Stateless: answers that wait for slow clients hold no compressor.
			if zipped, err := zip(body, gzip.StatelessCompression); err == nil && len(zipped) < len(body) {
				h.Set("Content-Encoding", "gzip")
				body = zipped
			}
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return body
}

// Gzip compresses what is served many times.
func Gzip(data []byte) ([]byte, error) { return zip(data, gzip.BestCompression) }

func zip(data []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, level)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
