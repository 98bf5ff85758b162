package docstest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// naive is the model the store is compared with: all documents in one map,
// every query a walk over it.
type naive struct {
	docs  map[naiveKey]item
	came  map[naiveKey]int // the order in which they came
	count int
}

func newNaive() *naive { return &naive{docs: map[naiveKey]item{}, came: map[naiveKey]int{}} }

func (n *naive) put(k naiveKey, doc item) {
	if _, known := n.docs[k]; !known {
		n.count++
		n.came[k] = n.count
	}
	n.docs[k] = doc
}

func (n *naive) drop(k naiveKey) {
	delete(n.docs, k)
	delete(n.came, k)
}

type naiveKey struct {
	app model.AppID
	key string
}

// taken reports the unique index that refuses doc, or "".
func (n *naive) taken(app model.AppID, doc item) string {
	for k, other := range n.docs {
		if k.app == app && k.key != doc.ID && doc.Email != "" && strings.EqualFold(other.Email, doc.Email) {
			return "email"
		}
	}
	return ""
}

func (n *naive) find(s docs.Scope, q docs.Query) []naiveKey {
	var keys []naiveKey
	for k, doc := range n.docs {
		mine := s.All || k.app == s.App
		if s.Apps != nil {
			mine = slices.Contains(s.Apps, k.app)
		}
		if mine && matchAll(doc, q) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b naiveKey) int {
		c := slices.Compare(sortValue(n.docs[a], q.Sort), sortValue(n.docs[b], q.Sort))
		if q.Sort != "" {
			c = cmp.Or(c, cmp.Compare(n.came[a], n.came[b]))
		}
		if q.Desc {
			c = -c
		}
		return cmp.Or(c, strings.Compare(appName(a.app), appName(b.app)), strings.Compare(a.key, b.key))
	})
	return keys
}

func page(keys []naiveKey, q docs.Query) []naiveKey {
	keys = keys[min(q.Offset, len(keys)):]
	if q.Limit > 0 {
		keys = keys[:min(q.Limit, len(keys))]
	}
	return keys
}

func appName(app model.AppID) string {
	if app.IsZero() {
		return ""
	}
	return app.String()
}

func matchAll(doc item, q docs.Query) bool {
	for _, c := range q.Where {
		if !matches(doc, c) {
			return false
		}
	}
	if !q.Filter.Match(filter.MapDoc(tree(doc))) {
		return false
	}
	if q.Search == "" {
		return true
	}
	needle := strings.ToLower(q.Search)
	return strings.Contains(strings.ToLower(doc.Name), needle) || strings.Contains(strings.ToLower(doc.Place.City), needle)
}

// values gives what a condition on the field sees, and whether text is folded.
func values(doc item, f docs.Field) (scalars []any, list []any, isList, fold bool) {
	switch f {
	case "":
		return []any{doc.ID}, nil, false, false
	case "email":
		if doc.Email != "" {
			scalars = []any{doc.Email}
		}
		return scalars, nil, false, true
	case "tags":
		for _, t := range doc.Tags {
			scalars = append(scalars, t)
		}
		return scalars, nil, false, false
	case "n":
		return []any{doc.N}, nil, false, false
	case "name":
		return []any{doc.Name}, nil, false, true
	case "zip":
		if doc.Place.Zip != nil {
			scalars = []any{doc.Place.Zip}
		}
		return scalars, nil, false, false
	case "tag":
		if len(doc.Tags) > 0 {
			scalars = []any{slices.Min(doc.Tags)}
		}
		return scalars, nil, false, false
	}
	var at any = tree(doc)
	for e := range strings.SplitSeq(string(f[1:]), ".") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil, nil, false, false
		}
		at = m[e]
	}
	switch v := at.(type) {
	case nil:
		return nil, nil, false, false
	case []any:
		return nil, v, true, false
	default:
		return []any{v}, nil, false, false
	}
}

// tree is the document's JSON.
func tree(doc item) map[string]any {
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		panic(err)
	}
	return out
}

func matches(doc item, c docs.Cond) bool {
	switch c.Op { //nolint:exhaustive // the others look at a field
	case docs.OpAny:
		return slices.ContainsFunc(c.Any, func(c docs.Cond) bool { return matches(doc, c) })
	case docs.OpAll:
		return !slices.ContainsFunc(c.Any, func(c docs.Cond) bool { return !matches(doc, c) })
	}
	scalars, list, isList, fold := values(doc, c.Field)
	one := func(test func(cmp int, same bool) bool, want any) bool {
		return slices.ContainsFunc(scalars, func(v any) bool { return test(compare(v, want, fold)) })
	}
	equal := func(c int, same bool) bool { return same && c == 0 }
	switch c.Op {
	case docs.OpEq:
		return one(equal, c.Value)
	case docs.OpNe:
		return !one(equal, c.Value)
	case docs.OpLt:
		return one(func(c int, same bool) bool { return same && c < 0 }, c.Value)
	case docs.OpLe:
		return one(func(c int, same bool) bool { return same && c <= 0 }, c.Value)
	case docs.OpGt:
		return one(func(c int, same bool) bool { return same && c > 0 }, c.Value)
	case docs.OpGe:
		return one(func(c int, same bool) bool { return same && c >= 0 }, c.Value)
	case docs.OpIn:
		return slices.ContainsFunc(c.Values, func(v any) bool { return one(equal, v) })
	case docs.OpPrefix:
		prefix, _ := c.Value.(string)
		return slices.ContainsFunc(scalars, func(v any) bool {
			s, ok := v.(string)
			if fold {
				return ok && strings.HasPrefix(strings.ToLower(s), strings.ToLower(prefix))
			}
			return ok && strings.HasPrefix(s, prefix)
		})
	case docs.OpExists:
		return len(scalars) > 0 || isList
	case docs.OpMissing:
		return len(scalars) == 0 && !isList
	case docs.OpHas:
		return slices.ContainsFunc(list, func(v any) bool { return equal(compare(v, c.Value, false)) })
	case docs.OpNone, docs.OpAny, docs.OpAll:
	}
	return false
}

func compare(a, b any, fold bool) (int, bool) {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		if fold {
			x, y = strings.ToLower(x), strings.ToLower(y)
		}
		return strings.Compare(x, y), ok
	case float64:
		y, ok := b.(float64)
		return cmp.Compare(x, y), ok
	case bool:
		y, ok := b.(bool)
		if x == y {
			return 0, ok
		}
		return 1, ok
	}
	return 0, false
}

// sortValue is the least encoded value of a field; nil sorts first.
func sortValue(doc item, f docs.Field) []byte {
	scalars, _, _, fold := values(doc, f)
	var least []byte
	for _, v := range scalars {
		b, err := docs.EncodeValue(v, fold)
		if err != nil {
			panic(err)
		}
		if least == nil || slices.Compare(b, least) < 0 {
			least = b
		}
	}
	return least
}
