package traffic

import "strconv"

// writer writes the parameters of one request in a format.
type writer struct {
	b      []byte
	format Format
	first  bool
}

func (w *writer) begin() {
	w.first = true
	if w.format == Item {
		w.b = append(w.b, '{')
	}
}

func (w *writer) end() []byte {
	if w.format == Item {
		w.b = append(w.b, '}')
	}
	return w.b
}

// name writes what stands before a value. Names need no encoding.
func (w *writer) name(name string) {
	sep := byte('&')
	if w.format == Item {
		sep = ','
	}
	if !w.first {
		w.b = append(w.b, sep)
	}
	w.first = false
	if w.format == Item {
		w.b = append(append(append(w.b, '"'), name...), `":`...)
		return
	}
	w.b = append(append(w.b, name...), '=')
}

func (w *writer) text(name, v string) {
	w.name(name)
	if w.format == Item {
		w.b = strconv.AppendQuote(w.b, v)
		return
	}
	w.b = escape(w.b, v)
}

func (w *writer) number(name string, v int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *writer) json(name string, v []byte) {
	w.name(name)
	if w.format == Item {
		w.b = append(w.b, v...)
		return
	}
	w.b = escape(w.b, v)
}

// escape appends v as encodeURIComponent of browsers and SDKs writes it.
func escape[T ~string | ~[]byte](b []byte, v T) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(v) {
		c := v[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.', c == '~':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}
