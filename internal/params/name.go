package params

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quipu/internal/fault"
)

var errName = fault.New(fault.Invalid, "request.bad_name", "A name is text without control characters")

// CheckName refuses names that people give to what they keep, with NUL, line breaks or other control characters, or that are not UTF-8: lists, files
// and logs have a name on one line. The fault is request.bad_name (Invalid).
func CheckName(names ...string) error {
	for _, name := range names {
		if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
			return errName
		}
	}
	return nil
}
