package device

import (
	"net/url"
	"strings"

	"quipu/internal/ingest/request"
)

// maxSource is how many bytes of a referrer are kept, before it is encoded.
const maxSource = 100

// Source returns the key of where an install or visit came from: a store's
// package, a plain word, or a referrer in its normal form. Dots and a leading
// dollar sign are encoded.
func Source(store string) string {
	store = strings.TrimSpace(store)
	if isReferrer(store) {
		store = referrer(store)
	}
	return cut(EncodeKey(request.Cut(store, maxSource)))
}

// EncodeKey encodes dots and a leading dollar sign as sources and domains do.
func EncodeKey(s string) string {
	s = strings.ReplaceAll(s, ".", "&#46;")
	if rest, ok := strings.CutPrefix(s, "$"); ok {
		s = "&#36;" + rest
	}
	return s
}

func isReferrer(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	return ok && scheme != "" && rest != "" && !strings.ContainsAny(scheme, " /?#.")
}

// referrer returns an address without scheme, www, fragment, trailing slash and
// the parameters of campaign tools. Of a search engine's address only the
// host, path and keyword are kept.
func referrer(s string) string {
	_, s, _ = strings.Cut(s, "://")
	s, _, _ = strings.Cut(s, "#")
	address, query, _ := strings.Cut(s, "?")
	host, path, _ := strings.Cut(address, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:] // credentials are nobody's source
	}
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	keyword := keywordParam(host)
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch {
		case name == "":
		case keyword != "":
			if name == keyword && value != "" {
				kept = append(kept, pair)
			}
		case !strings.HasPrefix(name, "utm_") && !strings.HasPrefix(name, "_ga"):
			kept = append(kept, pair)
		}
	}
	out := host
	if path = strings.TrimRight(path, "/"); path != "" {
		out += "/" + path
	}
	if len(kept) > 0 {
		query := strings.Join(kept, "&")
		if text, err := url.QueryUnescape(query); err == nil && keyword != "" {
			query = text
		}
		out += "?" + query
	}
	return out
}

// keywordParam returns the parameter in which a search engine's address holds
// what was searched for; "" when host is no known engine.
func keywordParam(host string) string {
	for label := range strings.SplitSeq(host, ".") {
		switch label {
		case "google", "bing", "duckduckgo", "ask", "aol", "ecosia", "qwant", "startpage", "brave":
			return "q"
		case "yahoo":
			return "p"
		case "yandex":
			return "text"
		case "baidu":
			return "wd"
		case "naver":
			return "query"
		case "seznam":
			return "q"
		case "sogou":
			return "query"
		}
	}
	return ""
}
