package sqlplan

import "strings"

// Part is a piece of SQL with the arguments of its placeholders, "?". The zero Part is empty.
type Part struct {
	SQL  string
	Args []any
}

// Empty reports whether there is nothing in it.
func (p Part) Empty() bool { return p.SQL == "" }

// Raw returns SQL without placeholders.
func Raw(sql string) Part { return Part{SQL: sql} }

// Write puts parts in the places of a template's "@"s, in their order.
func Write(template string, parts ...Part) Part {
	var out Part
	var b strings.Builder
	for i, piece := range strings.Split(template, "@") {
		if i > 0 {
			b.WriteString(parts[i-1].SQL)
			out.Args = append(out.Args, parts[i-1].Args...)
		}
		b.WriteString(piece)
	}
	out.SQL = b.String()
	return out
}

// Join joins parts.
func Join(parts []Part, sign string) Part {
	var out Part
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.SQL
		out.Args = append(out.Args, p.Args...)
	}
	out.SQL = strings.Join(texts, sign)
	return out
}
