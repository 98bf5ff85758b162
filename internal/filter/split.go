package filter

// Split parts a filter into conditions whose paths fn selects and those whose paths it does not, such that e matches what both match.
// ok is false where one condition, as of an $or, asks for paths of both kinds; then e has no such parts.
func (e Expr) Split(fn func(path string) bool) (selected, others Expr, ok bool) {
	parts := []node{e.root}
	if g, all := e.root.(*group); all && !g.any {
		parts = g.parts
	}
	var mine, rest []node
	for _, p := range parts {
		if p == nil {
			continue
		}
		yes, no := 0, 0
		walk(p, func(c *cond) {
			if fn(c.path) {
				yes++
			} else {
				no++
			}
		})
		switch {
		case yes > 0 && no > 0:
			return Expr{}, Expr{}, false
		case yes > 0:
			mine = append(mine, p)
		default:
			rest = append(rest, p)
		}
	}
	return Expr{conjunction(mine)}, Expr{conjunction(rest)}, true
}
