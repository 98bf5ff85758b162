package api

import (
	"bytes"
	"strconv"
)

// escapeStrings HTML-escapes the string literals of a JSON text: < and >
// always, & unless it begins an entity, and quotes only in strings that also
// hold < or > (wire.md 0.4). Text without any of them is returned as it is.
func escapeStrings(body []byte) []byte {
	if !bytes.ContainsAny(body, "<>&") && !bytes.Contains(body, []byte(`\u00`)) {
		return body
	}
	out := make([]byte, 0, len(body)+len(body)/8)
	for i := 0; i < len(body); {
		if body[i] != '"' {
			out = append(out, body[i])
			i++
			continue
		}
		end := i + 1
		for end < len(body) && body[end] != '"' {
			if body[end] == '\\' {
				end++
			}
			end++
		}
		out = append(out, '"')
		out = escapeLiteral(out, body[i+1:end])
		out = append(out, '"')
		i = end + 1
	}
	return out
}

// escapeLiteral appends the inside of a string literal, escaped.
func escapeLiteral(out, s []byte) []byte {
	if bytes.Contains(s, []byte(`\u00`)) {
		s = plainHTML(s)
	}
	quotes := bytes.ContainsAny(s, "<>")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			out = append(out, "&lt;"...)
		case c == '>':
			out = append(out, "&gt;"...)
		case c == '&' && !isEntity(s[i:]):
			out = append(out, "&amp;"...)
		case c == '\'' && quotes:
			out = append(out, "&#39;"...)
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] == '"' && quotes {
				out = append(out, "&quot;"...)
			} else {
				out = append(out, '\\', s[i])
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// plainHTML replaces the JSON escapes of <, > and & by the characters.
func plainHTML(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			out = append(out, s[i])
			continue
		}
		if i+5 < len(s) && s[i+1] == 'u' {
			if c := bytes.IndexByte([]byte("<>&"), hexByte(s[i+2:i+6])); c >= 0 {
				out = append(out, "<>&"[c])
				i += 5
				continue
			}
		}
		out = append(out, s[i], s[i+1])
		i++
	}
	return out
}

// hexByte reads four hex digits whose value fits a byte, and gives 0 for others.
func hexByte(s []byte) byte {
	n, err := strconv.ParseUint(string(s), 16, 16)
	if err != nil || n > 255 {
		return 0
	}
	return byte(n)
}

// isEntity reports whether s, which begins with &, begins a well-formed entity.
func isEntity(s []byte) bool {
	end := bytes.IndexByte(s, ';')
	if end < 2 || end > 32 {
		return false
	}
	name := s[1:end]
	digits := name[0] == '#'
	if digits {
		name = name[1:]
	}
	for _, c := range name {
		number := '0' <= c && c <= '9'
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if digits && !number || !number && !letter {
			return false
		}
	}
	return len(name) > 0
}
