package drill

import (
	"context"
	"crypto/md5"  // the wire names MD5 for event_app_id; it protects nothing
	"crypto/sha1" // tells equal bookmarks; it protects nothing
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// bookmark is a query under a name.
type bookmark struct {
	ID         string         `json:"_id"`
	AppID      string         `json:"app_id"`
	EventKey   string         `json:"event_key"`
	Name       string         `json:"name"`
	Desc       string         `json:"desc"`
	Global     bool           `json:"global"` // whether all see it
	Creator    model.MemberID `json:"creator"`
	QueryObj   string         `json:"query_obj"` // a filter, JSON
	QueryText  string         `json:"query_text"`
	ByVal      string         `json:"by_val"` // paths of properties, JSON
	ByValText  string         `json:"by_val_text"`
	Namespace  string         `json:"namespace,omitempty"` // "" = drill
	Visual     string         `json:"visualization,omitempty"`
	Sign       string         `json:"sign"`         // the same for what asks the same
	EventAppID string         `json:"event_app_id"` // MD5 of app id and event key
	CreatedAt  int64          `json:"created_at"`   // ms
	sharing
}

// Bounds of bookmarks.
const (
	maxText      = 2000     // bytes of each text
	maxQuery     = 16 << 10 // bytes
	maxBookmarks = 1000     // of a member in an app
)

// namespace is that of bookmarks that name none.
const namespace = "drill"

// dependents are the features whose readers see bookmarks, beside those of drill.
var dependents = []string{"funnels", "cohorts", "users", "formulas"}

var (
	errArgs      = withStatus(http.StatusOK, "drill.args", "Not enough args")
	errNotFound  = fault.New(fault.Invalid, "drill.not_found", "Bookmark not found")
	errDuplicate = fault.New(fault.Invalid, "drill.duplicate", "Duplicate entry")
	errNotYours  = fault.New(fault.Unauthenticated, "drill.not_yours", "Don't have permission to delete bookmark")
	errBookmark  = fault.New(fault.Invalid, "drill.bad_bookmark", "Invalid bookmark")
	errTooMany   = fault.New(fault.Invalid, "drill.too_many", "There are too many bookmarks")
	errNoRight   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// Key returns the id.
func (b bookmark) Key() string { return b.ID }

// Validate refuses what is too large, and queries that cannot be read.
func (b bookmark) Validate() error {
	for _, text := range []string{b.EventKey, b.Name, b.Desc, b.QueryText, b.ByValText, b.Namespace, b.Visual} {
		if len(text) > maxText {
			return errBookmark
		}
	}
	if !b.fits() {
		return errBookmark
	}
	if strings.TrimSpace(b.Name) == "" || b.EventKey == "" || len(b.QueryObj) > maxQuery || len(b.ByVal) > maxQuery {
		return errBookmark
	}
	return nil
}

func bookmarkSpec() docs.Spec[bookmark] {
	return docs.Spec[bookmark]{Name: "drill.bookmarks", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[bookmark]{
		{Name: "creator", Path: ".creator"},
		{Name: "sign", Path: ".sign", Unique: true},
		{Name: "event", Path: ".event_app_id"},
		{Name: "viewer", Fold: true, Of: bookmark.viewers},
	}}
}

// bookmarkReq is what clients send of a bookmark.
type bookmarkReq struct {
	ID        string       `param:"bookmark_id"`
	EventKey  string       `param:"event_key"`
	Query     params.Value `param:"query_obj"`
	QueryText string       `param:"query_text"`
	ByVal     params.Value `param:"by_val"`
	ByText    string       `param:"by_val_text"`
	Name      string       `param:"name"`
	Desc      string       `param:"desc"`
	Global    string       `param:"global"`
	Namespace string       `param:"namespace"`
	Visual    string       `param:"visualization"`

	Visibility string       `param:"visibility"`
	View       params.Value `param:"shared_email_view"`
	Edit       params.Value `param:"shared_email_edit"`
}

// sent reports whether a call has all of some parameters, be they empty.
func sent(c api.Caller, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !c.Sent(name) })
}

// fill writes what was sent into a bookmark, and computes its signs.
func (r bookmarkReq) fill(b *bookmark) error {
	b.EventKey, b.Name, b.Desc, b.Visual = r.EventKey, strings.TrimSpace(r.Name), r.Desc, r.Visual
	if err := params.CheckName(b.Name); err != nil {
		return err
	}
	b.QueryObj, b.QueryText, b.ByVal, b.ByValText = "{}", "", "[]", r.ByText
	var object map[string]any
	if json.Unmarshal([]byte(r.Query.String()), &object) != nil {
		return errBookmark
	}
	if _, err := filter.Parse(r.Query.String()); err != nil {
		return err
	}
	if text := r.QueryText; text != "" {
		b.QueryObj, b.QueryText = r.Query.String(), text
	} else {
		object = map[string]any{}
	}
	by := []string{}
	if r.ByVal.String() != "" {
		list, ok := texts(r.ByVal)
		if !ok || len(list) > maxProperties {
			return errBookmark
		}
		by = append(by, list...)
		text, err := json.Marshal(by)
		if err != nil {
			return err
		}
		b.ByVal = string(text)
	}
	return b.seal(object, by)
}

// seal computes the signs of what a bookmark asks.
func (b *bookmark) seal(object map[string]any, by []string) error {
	by = slices.Sorted(slices.Values(by))
	// Objects are written with their keys in order; lists whose order means nothing are put into one.
	text, err := json.Marshal([]any{b.AppID, b.Namespace, b.EventKey, b.Creator, b.Visual, inOrder(object), by})
	if err != nil {
		return err
	}
	sum := sha1.Sum(text)
	b.Sign = hex.EncodeToString(sum[:])
	event := md5.Sum([]byte(b.AppID + b.EventKey))
	b.EventAppID = hex.EncodeToString(event[:])
	return nil
}

// inOrder is a value with the elements of its lists in the order of their JSON.
func inOrder(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, x := range v {
			out[name] = inOrder(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = inOrder(x)
		}
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(jsonText(a), jsonText(b)) })
		return out
	}
	return v
}

type createdRes struct {
	Status string `json:"status"`
	ID     string `json:"id,omitempty"`
	Sign   string `json:"sign"`
}

func (s *service) addBookmark(ctx context.Context, c api.Caller, r bookmarkReq) (api.Result, error) {
	if r.EventKey == "" || r.Name == "" || !sent(c, "query_obj", "desc", "global") {
		return api.Result{}, errArgs
	}
	b := bookmark{ID: model.NewID().String(), AppID: c.App.ID.String(), Creator: c.Member.ID, CreatedAt: s.now().UnixMilli()}
	if r.Namespace != namespace {
		b.Namespace = r.Namespace
	}
	if err := r.fill(&b); err != nil {
		return api.Result{}, err
	}
	if err := r.share(&b); err != nil {
		return api.Result{}, err
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := bookmarkSpec().In(tx, c.App.ID)
		n, err := col.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("creator", c.Member.ID.String())}})
		if err != nil {
			return err
		}
		if n >= maxBookmarks {
			return errTooMany
		}
		return col.Create(ctx, b)
	})
	if docs.DuplicateOf(err) != "" {
		return api.Result{}, errDuplicate
	}
	c.Audit("drill_bookmark_created", nil, b, nil)
	return api.Result{Result: createdRes{Status: "Success", ID: b.ID, Sign: b.Sign}}, err
}

// editBookmark changes a bookmark of the caller's own, or one that they may change; whom it is shared with, its creator alone decides.
func (s *service) editBookmark(ctx context.Context, c api.Caller, r bookmarkReq) (api.Result, error) {
	if r.ID == "" || r.EventKey == "" || r.Name == "" || !sent(c, "query_obj", "query_text", "by_val", "by_val_text", "desc", "global") {
		return api.Result{}, errArgs
	}
	if r.ByText == "" || r.ByVal.String() == "" {
		r.ByVal, r.ByText = params.Value{}, ""
	}
	var before bookmark
	after, err := bookmarkSpec().In(s.docs, c.App.ID).Update(ctx, r.ID, func(b *bookmark) error {
		if !b.changeable(c.Member) {
			return errNotFound
		}
		before = *b
		if b.Creator == c.Member.ID {
			if err := r.share(b); err != nil {
				return err
			}
		}
		return r.fill(b)
	})
	switch {
	case unknownID(err):
		return api.Result{}, errNotFound
	case docs.DuplicateOf(err) != "":
		return api.Result{}, errDuplicate
	case err != nil:
		return api.Result{}, err
	}
	c.Audit("drill_bookmark_updated", before, after, nil)
	return api.Result{Result: createdRes{Status: "Success", Sign: after.Sign}}, nil
}

// unknownID reports whether an error says that there is no document of an id, or that none can have it.
func unknownID(err error) bool {
	return docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key"
}

// deleteBookmark deletes a bookmark that is the caller's own, that they may change, or that all see.
func (s *service) deleteBookmark(ctx context.Context, c api.Caller, r struct {
	ID string `param:"bookmark_id"`
},
) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errArgs
	}
	var before bookmark
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := bookmarkSpec().In(tx, c.App.ID)
		b, err := col.Get(ctx, r.ID)
		if unknownID(err) || err == nil && !b.Global && !b.changeable(c.Member) {
			return errNotYours // one that is not there does not differ from one of somebody else
		}
		if err != nil {
			return err
		}
		before = b
		return col.Delete(ctx, r.ID)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("drill_bookmark_deleted", before, nil, nil)
	return api.Success(), nil
}

// bookmark answers one bookmark, null if the caller sees none of that id.
func (s *service) bookmark(ctx context.Context, c api.Caller, r struct {
	ID string `param:"_id"`
},
) (any, error) {
	b, err := bookmarkSpec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if unknownID(err) || err == nil && !b.visible(c.Member) {
		return nil, nil // the wire has null
	}
	return b.shown(c.Member), err
}

type bookmarksReq struct {
	EventKey  string       `param:"event_key"`
	AppLevel  string       `param:"app_level"`
	Apps      params.Value `param:"apps"`
	Namespace string       `param:"namespace"`
	OnlyCount string       `param:"only_count"`
}

// bookmarks lists the bookmarks that the caller sees: of an event, or, with app_level, of apps.
func (s *service) bookmarks(ctx context.Context, c api.Caller, r bookmarksReq) (any, error) {
	apps := []model.AppID{c.App.ID}
	where := []docs.Cond{seenBy(c.Member)}
	if r.AppLevel == "1" {
		list, err := s.named(c, r.Apps)
		if err != nil {
			return nil, err
		}
		if list != nil {
			apps = list
		}
	} else {
		own := bookmark{AppID: c.App.ID.String(), EventKey: r.EventKey}
		if err := own.seal(nil, nil); err != nil {
			return nil, err
		}
		where = append(where, docs.Eq("event", own.EventAppID))
	}
	out := []shownBookmark{}
	for found, err := range bookmarkSpec().Among(s.docs, apps).List(ctx, docs.Query{Where: where}) {
		if err != nil {
			return nil, err
		}
		if b := found.Doc; b.Namespace == r.Namespace || b.Namespace == "" && r.Namespace == namespace {
			out = append(out, b.shown(c.Member))
		}
	}
	slices.SortStableFunc(out, func(a, b shownBookmark) int { return int(a.CreatedAt - b.CreatedAt) })
	if params.On(r.OnlyCount) {
		return len(out), nil
	}
	return out, nil
}

// named are the apps of a list whose bookmarks the caller may see; nil if none was sent.
func (s *service) named(c api.Caller, v params.Value) ([]model.AppID, error) {
	list, ok := texts(v)
	if !ok {
		return nil, bad("apps")
	}
	if len(list) == 0 {
		return nil, nil
	}
	out := []model.AppID{}
	for _, text := range list {
		id, err := model.ParseID(text)
		if err != nil || !c.Identity.AllowsApp(id) || !mayRead(c.Member, id, append([]string{feature}, dependents...)...) {
			continue // one that is not there does not differ from one that is not the caller's
		}
		out = append(out, id)
	}
	return out, nil
}

// eachUse lists which events bookmarks name: their own, and those that the dashboard keeps in what draws them.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for b, err := range bookmarkSpec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err == nil {
			err = fn(kernel.EventUse{ID: b.ID, Name: b.Name, Events: b.events(), Visible: b.visible})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// events are the keys that a bookmark names.
func (b *bookmark) events() []string {
	out := []string{b.EventKey}
	var drawn struct {
		Events string `json:"events"` // a JSON list
	}
	var list []string
	if json.Unmarshal([]byte(b.Visual), &drawn) == nil && json.Unmarshal([]byte(drawn.Events), &list) == nil {
		out = append(out, list...)
	}
	return out
}

// memberDeleted removes the bookmarks of a member that nobody else may change; those stay that others may, or that all see.
func (s *service) memberDeleted(ctx context.Context, ev topic.MemberDeleted) error {
	q := docs.Query{Where: []docs.Cond{docs.Eq("creator", ev.Member.String()), docs.Ne(".global", true)}}
	var own []docs.Found[bookmark]
	for f, err := range bookmarkSpec().AcrossApps(s.docs, "a member's own bookmarks lie in every app they used").List(ctx, q) {
		if err != nil {
			return err
		}
		if b := f.Doc; b.shares() && len(b.Edit) > 0 {
			continue
		}
		own = append(own, f)
	}
	for _, f := range own {
		if err := bookmarkSpec().In(s.docs, f.App).Delete(ctx, f.Doc.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}
