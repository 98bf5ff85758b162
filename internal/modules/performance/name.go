package performance

import "strings"

// placeholder stands in addresses for what tells one thing of a kind from another.
const placeholder = "{id}"

// Bounds of parts of addresses, in bytes.
const (
	maxPart = 64 // longer ones are ids
	minHex  = 8  // hexadecimal digits that are an id when there are letters and digits among them
	minCode = 20 // letters and digits that are an id when there are digits among them
)

// groupOf is the name under which a trace counts. Of addresses, which have a slash and no blank, the scheme, who logs in, the query and the
// fragment are left out, and parts that are ids give way to a placeholder: otherwise each address would be a group of its own,
// and what a query holds is often private. Other names stay as they are.
func groupOf(name string) string {
	if !strings.Contains(name, "/") || strings.ContainsAny(name, " \t\n") {
		return name
	}
	rest := name
	if scheme, after, ok := strings.Cut(rest, "://"); ok && scheme != "" && !strings.ContainsAny(scheme, "/?#") {
		rest = after
	}
	if i := strings.IndexAny(rest, "?#;"); i >= 0 {
		rest = rest[:i]
	}
	parts := strings.Split(rest, "/")
	if at := strings.LastIndexByte(parts[0], '@'); at >= 0 {
		parts[0] = parts[0][at+1:]
	}
	for i, part := range parts {
		if i > 0 && isID(part) {
			parts[i] = placeholder
		}
	}
	if out := strings.Join(parts, "/"); out != "" {
		return out
	}
	return "/"
}

// isID reports whether a part of an address tells one thing of a kind from another.
func isID(part string) bool {
	digits, hex, letters, other := 0, 0, 0, 0
	for i := range len(part) {
		switch c := part[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
			hex++
		case c >= 'g' && c <= 'z', c >= 'G' && c <= 'Z':
			letters++
		case c == '-' || c == '_':
		default:
			other++
		}
	}
	switch {
	case len(part) > maxPart, strings.Contains(part, "@"), strings.Contains(part, "%40"):
		return true
	case digits == 0 || other > 0:
		return false
	case hex == 0 && letters == 0:
		return true // 17, 2031-05-14
	case letters == 0 && digits+hex >= minHex:
		return true // c0ffee12, and UUIDs
	}
	return digits+hex+letters >= minCode
}
