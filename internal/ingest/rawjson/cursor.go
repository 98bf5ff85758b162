package rawjson

// Cursor walks a text from front to back. Containers that are entered, with Elements and Members, are walked once,
// where a Value is walked to find its end and once more by callers that look inside. Once the text has proved to be
// malformed, all walks end and there are no more values.
type Cursor struct {
	b []byte
	i int // where the value at hand begins, or what follows begins; negative once the text is malformed
}

// NewCursor returns a cursor at the one value that b holds, with white space around it allowed.
func NewCursor(b []byte) Cursor { return Cursor{b: Trim(b)} }

// Pos returns how many bytes the cursor has passed; it is negative once the text has proved to be malformed.
func (c *Cursor) Pos() int { return c.i }

// Malformed reports whether the text has proved to be malformed.
func (c *Cursor) Malformed() bool { return c.i < 0 }

// Done reports whether the cursor stands behind a value that is all there was.
func (c *Cursor) Done() bool { return c.i == len(c.b) && c.i > 0 }

func (c *Cursor) err() error {
	if !c.Done() {
		return ErrSyntax
	}
	return nil
}

// Kind tells the type of the value at hand.
func (c *Cursor) Kind() Kind {
	if c.i < 0 {
		return Invalid
	}
	return KindOf(c.b[c.i:])
}

// Value returns the value at hand, and moves behind it. It returns nil when there is none.
func (c *Cursor) Value() []byte {
	start := c.i
	if c.i = value(c.b, start); c.i < 0 {
		return nil
	}
	return c.b[start:c.i:c.i]
}

// Last returns what stands between the value at hand and the brace that the text ends with, when it looks like an array. If the value is an array
// and the last member of the object that is the whole text, that is the value; whether it is, callers find out by walking what they got to its end,
// which spares them a walk to find that end. The cursor stays where it is.
func (c *Cursor) Last() (v []byte, ok bool) {
	if c.Kind() != Array || c.b[len(c.b)-1] != '}' {
		return nil, false
	}
	v = Trim(c.b[c.i : len(c.b)-1])
	return v, len(v) > 1 && v[len(v)-1] == ']'
}

// Elements moves to each element of the array at hand, and behind it at last. Elements that the body of the loop leaves alone are stepped over.
// A value at hand that is no array is malformed. After a break the cursor can no longer be used.
func (c *Cursor) Elements(yield func() bool) {
	b, i := c.b, c.enter('[')
	if i < len(b) && i >= 0 && b[i] == ']' {
		c.i = i + 1
		return
	}
	for i >= 0 {
		c.i = i
		if !yield() {
			return
		}
		i = c.next(i, ']')
	}
}

// Members moves to the value of each member of the object at hand, in order and with duplicates, and behind the object
// at last. The key is raw: the text between its quotes, see Unescape. Otherwise it is like Elements.
func (c *Cursor) Members(yield func(key []byte) bool) {
	b, i := c.b, c.enter('{')
	if i < len(b) && i >= 0 && b[i] == '}' {
		c.i = i + 1
		return
	}
	for i >= 0 {
		if i >= len(b) || b[i] != '"' {
			c.i = malformed
			return
		}
		end := str(b, i)
		if end < 0 {
			c.i = malformed
			return
		}
		key := b[i+1 : end-1]
		if end = space(b, end); end >= len(b) || b[end] != ':' {
			c.i = malformed
			return
		}
		i = space(b, end+1)
		c.i = i
		if !yield(key) {
			return
		}
		i = c.next(i, '}')
	}
}

// enter returns where the first item of the container at hand, or its end, stands; it is negative when there is no such container.
func (c *Cursor) enter(open byte) int {
	if c.i < 0 || c.i >= len(c.b) || c.b[c.i] != open {
		c.i = malformed
		return malformed
	}
	return space(c.b, c.i+1)
}

// next returns where the item of a container stands that follows the one which began at i. After the last it
// moves behind the container and returns a negative number.
func (c *Cursor) next(i int, closing byte) int {
	b := c.b
	if c.i == i {
		c.i = value(b, i)
	}
	if c.i < 0 {
		return malformed
	}
	i = space(b, c.i)
	if i < len(b) {
		switch b[i] {
		case ',':
			return space(b, i+1)
		case closing:
			c.i = i + 1
			return malformed
		}
	}
	c.i = malformed
	return malformed
}
