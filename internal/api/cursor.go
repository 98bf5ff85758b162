package api

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/params"
)

// A list that is read with a cursor comes as a table whose nextCursor leads to the rows behind it. A cursor remembers the last rows
// that were answered, so that rows which are added or deleted before them meanwhile neither repeat nor hide others. It is signed,
// and holds for the caller, the list and the other parameters that it was made for.

// firstCursor asks for the first page.
const firstCursor = "start"

const (
	cursorMark    = "c1."
	cursorAnchors = 8     // rows that a cursor remembers
	cursorRows    = 50    // of a page, unless the request says otherwise
	cursorMost    = 1000  // rows of a page
	cursorReach   = 20000 // rows before and behind the place of a cursor in which its rows are looked for
)

var (
	errBadCursor  = fault.New(fault.Invalid, "request.bad_cursor", "The cursor does not belong to this list with these parameters")
	errCursorGone = fault.New(fault.Invalid, "request.cursor_gone", "The rows at the cursor no longer exist")
)

// cursor is a place in a list.
type cursor struct {
	At      int      `json:"o"` // rows before the place, when it was made
	Anchors [][]byte `json:"a"` // marks of the last rows before the place, in their order
}

// numbersCursors marks requests of lists that have numbers for cursors of their own, which they read themselves.
type numbersCursors interface{ NumbersCursors() }

// ownCursors marks requests that have another list beside the table, with cursors of its own; param returns the text of a parameter.
type ownCursors interface {
	OwnCursors(param func(name string) string) bool
}

// wantsCursor reports whether a list is read with a cursor.
func (c *Call) wantsCursor(req any) bool {
	v, _ := c.Params.Get("cursor")
	text := strings.TrimSpace(v.String())
	if text == "" || text == "null" {
		return false
	}
	if v, ok := req.(ownCursors); ok && v.OwnCursors(c.Params.Text) {
		return false
	}
	if _, own := req.(numbersCursors); own {
		return strings.Trim(text, "0123456789") != ""
	}
	return true
}

// ownSignature signs with a key that is made for this process.
func ownSignature() func(text string) string {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails, see crypto/rand
	return func(text string) string {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(text))
		return hex.EncodeToString(m.Sum(nil))
	}
}

// parseCursor reads a cursor that was rendered for the same scope.
func (s *Server) parseCursor(scope, text string) (cursor, error) {
	if text == firstCursor {
		return cursor{}, nil
	}
	body, signature, found := strings.Cut(strings.TrimPrefix(text, cursorMark), ".")
	if !strings.HasPrefix(text, cursorMark) || !found || !hmac.Equal([]byte(signature), []byte(s.opts.Sign(scope+body))) {
		return cursor{}, errBadCursor
	}
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return cursor{}, errBadCursor
	}
	var out cursor
	if json.Unmarshal(raw, &out) != nil {
		return cursor{}, errBadCursor
	}
	return out, nil
}

func (s *Server) renderCursor(scope string, at cursor) (string, error) {
	raw, err := json.Marshal(at)
	if err != nil {
		return "", fmt.Errorf("render cursor: %w", err)
	}
	body := base64.RawURLEncoding.EncodeToString(raw)
	return cursorMark + body + "." + s.opts.Sign(scope+body), nil
}

// cursorScope is what a cursor is bound to: the list, the caller, and all parameters but those that say which part is wanted.
func (c *Call) cursorScope() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", c.Path)
	if c.Member != nil {
		fmt.Fprintf(&b, "%q", c.Member.ID)
	}
	for _, name := range slices.Sorted(slices.Values(c.Params.Names())) {
		switch name {
		case "api_key", "auth_token", "cursor", "iDisplayStart", "iDisplayLength", "limit", "skip", "sEcho", "timestamp", "_":
			continue
		}
		v, _ := c.Params.Get(name)
		fmt.Fprintf(&b, "%q%q", name, v.String())
	}
	b.WriteByte('\n')
	return b.String()
}

// rows are a part of a list, with the table that it came in.
type rows struct {
	table map[string]json.RawMessage
	list  []json.RawMessage
	total int // of those that match
}

// mark tells a row apart from others: by its id, else by its name, else by all that it says. own says that no other row has it.
func mark(row json.RawMessage) (m []byte, own bool) {
	var named struct {
		ID   json.RawMessage `json:"_id"`
		Name json.RawMessage `json:"name"`
	}
	_ = json.Unmarshal(row, &named) // a row that is no object has neither
	text := []byte(row)
	switch {
	case len(named.ID) > 0:
		text = named.ID
	case len(named.Name) > 0:
		text = named.Name
	}
	sum := sha256.Sum256(text)
	return sum[:6], len(named.ID) > 0
}

// byCursor answers a list from a cursor on. read runs the handler with the parameters of the call.
func (s *Server) byCursor(c *Call, read func() (any, error)) (any, error) {
	sent, scope := c.Params, c.cursorScope()
	defer func() { c.Params = sent }()
	at, err := s.parseCursor(scope, strings.TrimSpace(sent.Text("cursor")))
	if err != nil {
		return nil, err
	}
	length := c.pageLength()
	l := listReader{read: func(start, length int) (rows, error) {
		c.Params = partOf(sent, start, length)
		res, err := read()
		if err != nil {
			return rows{}, err
		}
		return tableOf(res)
	}}
	page, end, err := l.page(at, length)
	if err != nil {
		return nil, err
	}
	next := json.RawMessage("null")
	if len(page.list) > 0 && end < page.total {
		for _, row := range page.list {
			m, _ := mark(row)
			at.Anchors = append(at.Anchors, m)
		}
		text, err := s.renderCursor(scope, cursor{At: end, Anchors: at.Anchors[max(0, len(at.Anchors)-cursorAnchors):]})
		if err != nil {
			return nil, err
		}
		next = json.RawMessage(`"` + text + `"`)
	}
	page.table["nextCursor"] = next
	if _, has := page.table["hasNextPage"]; has { // lists that have cursors of their own, too
		page.table["hasNextPage"] = json.RawMessage(strconv.FormatBool(string(next) != "null"))
		page.table["paginationMode"] = json.RawMessage(`"cursor"`)
	}
	if v, _ := sent.Get("sEcho"); v.Echo() == nil {
		delete(page.table, "sEcho")
	}
	if page.list == nil {
		page.list = []json.RawMessage{}
	}
	if page.table["aaData"], err = json.Marshal(page.list); err != nil {
		return nil, fmt.Errorf("render rows: %w", err)
	}
	return page.table, nil
}

// pageLength is how many rows a page of a cursor has.
func (c *Call) pageLength() int {
	v, _ := c.Params.Get("iDisplayLength")
	if v.String() == "" {
		v, _ = c.Params.Get("limit")
	}
	_, n := List{Length: v}.Part(cursorRows, cursorMost)
	return n
}

// partOf are the parameters of a request for a part of the same list, as a table.
func partOf(sent *params.Params, start, length int) *params.Params {
	out := &params.Params{}
	for _, name := range sent.Names() {
		switch name {
		case "cursor", "iDisplayStart", "iDisplayLength", "limit", "skip":
			continue
		}
		v, _ := sent.Get(name)
		out.Set(name, v)
	}
	out.Set("iDisplayStart", params.Value{Text: strconv.Itoa(start)})
	out.Set("iDisplayLength", params.Value{Text: strconv.Itoa(length)})
	if v, _ := sent.Get("sEcho"); v.Echo() == nil {
		out.Set("sEcho", params.Value{Text: "1"})
	}
	return out
}

// tableOf reads the table that a list answered.
func tableOf(res any) (rows, error) {
	body, err := json.Marshal(res)
	if err != nil {
		return rows{}, fmt.Errorf("render list: %w", err)
	}
	var out rows
	if err := json.Unmarshal(body, &out.table); err != nil {
		return rows{}, fmt.Errorf("list that is no table: %w", err)
	}
	if err := json.Unmarshal(out.table["aaData"], &out.list); err != nil {
		return rows{}, fmt.Errorf("list without rows: %w", err)
	}
	if err := json.Unmarshal(out.table["iTotalDisplayRecords"], &out.total); err != nil {
		return rows{}, fmt.Errorf("list without a total: %w", err)
	}
	return out, nil
}

// listReader reads parts of a list.
type listReader struct {
	read func(start, length int) (rows, error)
}

// page reads the rows behind a cursor, and says at which row it ends. As a rule that is one read, which begins with the rows that the
// cursor remembers. Of these none comes again, wherever it stands by now.
func (l listReader) page(at cursor, length int) (page rows, end int, err error) {
	first := max(0, at.At-len(at.Anchors))
	if page, err = l.read(first, min(length+at.At-first, cursorMost)); err != nil {
		return rows{}, 0, err
	}
	if len(at.Anchors) > 0 {
		place, found := behind(at, first, page.list)
		if 2*found < len(at.Anchors) {
			if place, err = l.find(at); err != nil {
				return rows{}, 0, err
			}
		}
		end = place
	}
	known := map[string]bool{}
	for _, anchor := range at.Anchors {
		known[string(anchor)] = true
	}
	part := page.list
	page.list = nil
	for {
		if end < first || end > first+len(part) {
			part = nil
		} else {
			part = part[end-first:]
		}
		for _, row := range part {
			if len(page.list) == length {
				break
			}
			end++
			if m, own := mark(row); !own || !known[string(m)] {
				page.list = append(page.list, row)
			}
		}
		if len(page.list) > 0 || end >= page.total {
			return page, end, nil
		}
		more, err := l.read(end, length)
		if err != nil {
			return rows{}, 0, err
		}
		if first, part, page.total = end, more.list, more.total; len(part) == 0 {
			return page, end, nil
		}
	}
}

// window reads the rows from start to end, or to the end of the list, in as many parts as the bound of the list makes of them.
func (l listReader) window(start, end int) (list []json.RawMessage, err error) {
	for start < end {
		part, err := l.read(start, min(end-start, cursorMost))
		if err != nil {
			return nil, err
		}
		list = append(list, part.list...)
		if start += len(part.list); len(part.list) == 0 || start >= part.total {
			break
		}
	}
	return list, nil
}

// find returns the place behind the rows that a cursor remembers. It looks where they were, then ever farther around.
func (l listReader) find(at cursor) (int, error) {
	for reach := 16 * cursorAnchors; ; reach = min(reach*16, cursorReach) {
		first := max(0, at.At-reach)
		list, err := l.window(first, at.At+reach)
		if err != nil {
			return 0, err
		}
		place, found := behind(at, first, list)
		// One in two of them is enough where they are expected; where all was looked at, any is.
		if 2*found >= len(at.Anchors) || found > 0 && reach == cursorReach {
			return place, nil
		}
		if reach == cursorReach {
			return 0, errCursorGone
		}
	}
}

// behind returns the place behind the rows of a cursor in a part of its list, and how many of them stand there one after the other. Rows
// that stand elsewhere, because what they are sorted by has changed, say nothing about the place.
func behind(at cursor, first int, list []json.RawMessage) (place, found int) {
	where := map[string][]int{}
	for i, row := range list {
		m, _ := mark(row)
		where[string(m)] = append(where[string(m)], first+i)
	}
	run := map[int]int{} // rows of the cursor that stand in a row, by the place of the last
	for i, anchor := range at.Anchors {
		want, best := at.At-len(at.Anchors)+i, -1
		for _, p := range where[string(anchor)] {
			if best < 0 || distance(p, want) < distance(best, want) {
				best = p
			}
		}
		if best < 0 {
			continue // gone
		}
		n := run[best-1] + 1
		run[best] = n
		if n > found || n == found && distance(best+1, at.At) <= distance(place, at.At) { // the later one, where rows came between
			place, found = best+1, n
		}
	}
	return place, found
}

func distance(a, b int) int { return max(a-b, b-a) }
