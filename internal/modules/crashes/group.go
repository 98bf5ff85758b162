package crashes

import "strings"

// grouping is the version of the algorithm that makes signatures.
const grouping = "1"

// untitled is the name and the error of reports that say neither.
const untitled = "Unknown"

// maxGrouped is how much of an error tells groups apart, in bytes.
const maxGrouped = 64 << 10

// signatureOf returns the signature of a report that came from an OS. It follows from the report alone, and reports keep it. As long as
// nobody says otherwise, each signature has a group of its own, whose id it is.
func signatureOf(r *report, os string) string {
	if r.key != "" {
		return hashed(grouping, r.key, os, r.nonfatal)
	}
	return signatureOfText(r.text(), os, r.nonfatal)
}

func signatureOfText(text, os string, nonfatal bool) string {
	return hashed(grouping, normalise(text), os, nonfatal)
}

// text is the error of a report; a report without one has its name.
func (r *report) text() string {
	switch {
	case strings.TrimSpace(r.error) != "":
		return r.error
	case r.name != "":
		return r.name
	}
	return untitled
}

// title is the name of a report: what it was given, else the first line of the error.
func (r *report) title() string {
	if r.name != "" {
		return r.name
	}
	first, _, _ := strings.Cut(strings.TrimLeft(display(r.text()), "\r\n"), "\n")
	if first = strings.TrimRight(first, "\r"); len(first) > maxText {
		first = strings.ToValidUTF8(first[:maxText], "")
	}
	return first
}

// display is an error as people read it: without the numbers in front of native frames.
func display(text string) string {
	if !strings.Contains(text, "0x") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if frame, ok := nativeFrame(line); ok {
			lines[i] = frame
		}
	}
	return strings.Join(lines, "\n")
}

// nativeFrame returns a frame such as "4 MapKit 0x1f00c4d8 + 12" without its number; false for all other lines.
func nativeFrame(line string) (string, bool) {
	rest := strings.TrimLeft(line, " \t")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || digits == len(rest) || rest[digits] != ' ' && rest[digits] != '\t' {
		return "", false
	}
	rest = strings.TrimLeft(rest[digits:], " \t")
	at := strings.Index(rest, "0x")
	return rest, at > 0 && at+2 < len(rest) // the address stands behind the name of the image
}

// normalise returns an error without numbers of frames, addresses and offsets: errors that are equal then belong to one group.
func normalise(text string) string {
	lines := strings.Split(strings.ReplaceAll(display(text), "\r\n", "\n"), "\n")
	var b strings.Builder
	for _, line := range lines {
		if b.Len() >= maxGrouped {
			break
		}
		if strings.HasPrefix(line, "#") {
			if rest := strings.TrimLeft(line[1:], "0123456789"); len(rest) < len(line)-1 {
				line = strings.TrimLeft(rest, " \t")
			}
		}
		if momentary(line) {
			continue
		}
		bare, native := withoutAddresses(withoutLoad(line))
		if native {
			bare = withoutOffset(bare)
		}
		b.WriteString(bare)
		b.WriteByte('\n')
	}
	return b.String()
}

// momentary reports whether a line is about the process that crashed, not about the crash: what stands above traces of Dart without symbols, tombstones and
// thread dumps of Android.
func momentary(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, begin := range [...]string{"isolate_dso_base: ", "isolate_instructions: ", "----- pid ", "| group=", "| sysTid=", "| state=", "| stack="} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return strings.HasPrefix(line, "pid: ") && strings.Contains(line, ", tid: ")
}

// withoutLoad removes from a frame of Dart without symbols the address that differs from run to run; the one within the program stays:
// "#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDart…".
func withoutLoad(line string) string {
	before, rest, ok := strings.Cut(line, " abs ")
	if !ok {
		return line
	}
	digits := strings.TrimLeft(rest, "0123456789abcdef")
	if len(digits) == len(rest) || !strings.HasPrefix(digits, " virt ") {
		return line
	}
	return before + digits
}

// withoutAddresses removes hexadecimal numbers, and reports whether there were any.
func withoutAddresses(line string) (string, bool) {
	if !strings.Contains(line, "0x") {
		return line, false
	}
	var b strings.Builder
	found := false
	for {
		at := strings.Index(line, "0x")
		if at < 0 {
			b.WriteString(line)
			return b.String(), found
		}
		rest := strings.TrimLeft(line[at+2:], "0123456789abcdefABCDEF")
		if len(rest) == len(line)-at-2 {
			b.WriteString(line[:at+2])
		} else {
			b.WriteString(line[:at])
			found = true
		}
		line = rest
	}
}

// withoutOffset removes the "+ 12" at the end of a native frame.
func withoutOffset(line string) string {
	bare := strings.TrimRight(line, " \t\r)")
	digits := strings.TrimRight(bare, "0123456789")
	if len(digits) == len(bare) {
		return line
	}
	if before, ok := strings.CutSuffix(strings.TrimRight(digits, " \t"), "+"); ok {
		return strings.TrimRight(before, " \t")
	}
	return line
}

// compareVersions orders versions as people number them: parts are compared as numbers where they are, and a part of letters, as
// of a pre-release, comes before none.
func compareVersions(a, b string) int {
	for {
		x, restA := part(a)
		y, restB := part(b)
		if x == "" && y == "" {
			return 0
		}
		if c := compareParts(x, y); c != 0 {
			return c
		}
		a, b = restA, restB
	}
}

// newer reports whether a version is later than the one in which a group was resolved. Any version is later than none.
func newer(version, resolved string) bool {
	return version != "" && (resolved == "" || compareVersions(version, resolved) > 0)
}

// part splits off the next run of digits or of letters.
func part(s string) (run, rest string) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !isDigit(r) && !isLetter(r) })
	if s == "" {
		return "", ""
	}
	kind := isLetter
	if isDigit(rune(s[0])) {
		kind = isDigit
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !kind(r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 }

func compareParts(x, y string) int {
	rank := func(s string) int {
		switch {
		case s == "":
			return 1
		case isDigit(rune(s[0])):
			return 2
		}
		return 0
	}
	if rank(x) == 2 && y == "" {
		y = "0"
	}
	if rank(y) == 2 && x == "" {
		x = "0"
	}
	if c := rank(x) - rank(y); c != 0 {
		return c
	}
	if rank(x) != 2 {
		return strings.Compare(strings.ToLower(x), strings.ToLower(y))
	}
	x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(x, y)
}

// encoded is a text as a key of documents.
func encoded(text string) string { return strings.ReplaceAll(text, ".", ":") }

// decoded is a version of a profile as it was sent.
func decoded(version string) string { return strings.ReplaceAll(version, ":", ".") }
