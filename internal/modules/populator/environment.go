package populator

import (
	"context"
	"crypto/sha1" // the wire names environments by it; it guards nothing
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Environment is a population that was made up for an app.
type Environment struct {
	ID         string      `json:"_id"`
	Name       string      `json:"name"`
	TemplateID string      `json:"templateId"`
	AppID      model.AppID `json:"appId"`
	CreatedAt  int64       `json:"createdAt"` // ms
}

// Key returns the id.
func (e Environment) Key() string { return e.ID }

// Validate bounds the name.
func (e Environment) Validate() error {
	if !validName(e.Name) {
		return errBadUsers
	}
	return nil
}

func validName(s string) bool {
	return s != "" && len(s) <= maxName && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

// User is one of the users of an environment.
type User struct {
	ID         string          `json:"_id"`
	UserName   string          `json:"userName"`
	Platform   string          `json:"platform"`
	Device     string          `json:"device"`
	AppVersion string          `json:"appVersion"`
	DeviceID   string          `json:"deviceId"`
	Custom     json.RawMessage `json:"custom"`
	CreatedAt  int64           `json:"createdAt"` // ms
}

// Key returns the id.
func (u User) Key() string { return u.ID }

// Bounds of what is remembered of users.
const (
	maxDevice = 256     // bytes
	maxText   = 512     // bytes of each text
	maxCustom = 8 << 10 // bytes of JSON
	maxSaved  = 10_000  // users of one request
	maxPage   = 10_000  // users of one answer
)

var errBadUsers = fault.New(fault.Invalid, "populator.bad_users", "Invalid params: users")

// Validate bounds what clients may write.
func (u User) Validate() error {
	if len(u.ID) > maxDevice+200 || len(u.UserName)+len(u.Platform)+len(u.Device)+len(u.AppVersion) > 4*maxText || len(u.Custom) > maxCustom {
		return errBadUsers
	}
	return nil
}

func environmentSpec() docs.Spec[Environment] {
	return docs.Spec[Environment]{Name: "populator.environments", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[Environment]{
		{Name: "name", Path: ".name", Fold: true},
	}}
}

func userSpec() docs.Spec[User] {
	return docs.Spec[User]{Name: "populator.users", Version: 1, Search: []docs.Field{".userName"}}
}

// environmentID is the id that the wire has for a name in an app.
func environmentID(app model.AppID, name string) string {
	sum := sha1.Sum([]byte(app.String() + name))
	return hex.EncodeToString(sum[:])
}

// userPrefix is what the ids of an environment's users begin with; of all those of a template
// without one.
func userPrefix(app model.AppID, template, environment string) string {
	p := app.String() + "_" + template + "_"
	if environment != "" {
		p += environment + "_"
	}
	return p
}

type saveReq struct {
	Users params.Value `param:"users"`
	Once  bool         `param:"setEnviromentInformationOnce"`
}

// given is a user as clients send one.
type given struct {
	AppID       string          `json:"appId"`
	TemplateID  string          `json:"templateId"`
	Environment string          `json:"environmentName"`
	DeviceID    string          `json:"deviceId"`
	UserName    string          `json:"userName"`
	Platform    string          `json:"platform"`
	Device      string          `json:"device"`
	AppVersion  string          `json:"appVersion"`
	Custom      json.RawMessage `json:"custom"`
}

// user checks what was sent. A user of another app than the request's is refused.
func (g given) user(app model.AppID, now int64) (User, error) {
	template, err := model.ParseID(g.TemplateID)
	if err != nil || !validName(g.Environment) || !validName(g.DeviceID) || g.AppID != app.String() {
		return User{}, errBadUsers
	}
	custom := json.RawMessage("{}")
	if len(g.Custom) > 0 && string(g.Custom) != "null" {
		if g.Custom[0] != '{' {
			return User{}, errBadUsers
		}
		custom = compact(g.Custom)
	}
	return User{
		ID:       userPrefix(app, template.String(), environmentID(app, g.Environment)) + g.DeviceID,
		UserName: g.UserName, Platform: g.Platform, Device: g.Device, AppVersion: g.AppVersion, DeviceID: g.DeviceID, Custom: custom, CreatedAt: now,
	}, nil
}

var errNoUsers = fault.New(fault.Invalid, "populator.missing_users", "Missing params: users")

// namesUsers is the check, before the credentials, that there are users to save.
func namesUsers(p *params.Params) error {
	if !p.Has("users") {
		return errNoUsers
	}
	return nil
}

// saveUsers remembers users, and their environment if that is asked for.
func (s *service) saveUsers(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	var list []given
	if json.Unmarshal(r.Users.Raw(), &list) != nil || len(list) == 0 {
		return api.Result{}, errNoUsers
	}
	if len(list) > maxSaved {
		return api.Result{}, fault.New(fault.TooLarge, "populator.too_many_users", "Too many users")
	}
	now := s.now().UnixMilli()
	users := make([]User, 0, len(list))
	for _, g := range list {
		u, err := g.user(c.App.ID, now)
		if err != nil {
			return api.Result{}, err
		}
		users = append(users, u)
	}
	env := s.environment(c.App.ID, list[0].TemplateID, list[0].Environment)
	data := map[string]any{"environmentId": env.ID, "environmentName": env.Name, "appId": env.AppID, "templateId": env.TemplateID, "users": len(users)}
	name := "populator_environment_users_saved"
	if r.Once {
		name = "populator_environment_created"
	}
	c.Audit(name, nil, data, nil)
	return api.Result{Result: "Successfully created "}, s.remember(ctx, env, users, r.Once)
}

func (s *service) environment(app model.AppID, template, name string) Environment {
	return Environment{ID: environmentID(app, name), Name: name, TemplateID: strings.ToLower(template), AppID: app, CreatedAt: s.now().UnixMilli()}
}

// remember stores users and, if named says so, their environment. What is there already keeps the
// time when it came.
func (s *service) remember(ctx context.Context, env Environment, users []User, named bool) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		if named {
			col := environmentSpec().In(tx, env.AppID)
			if err := col.Create(ctx, env); err != nil && fault.CodeOf(err) != "docs.exists" {
				return err
			}
		}
		col := userSpec().In(tx, env.AppID)
		for _, u := range users {
			if err := col.Put(ctx, u); err != nil {
				return err
			}
		}
		return nil
	})
}

type checkReq struct {
	Name string `param:"environment_name"`
}

// taken is the wire's answer to a name that is in use.
type taken struct {
	Message string `json:"errorMsg"`
}

func (s *service) checkName(ctx context.Context, c api.Caller, r checkReq) (any, error) {
	n, err := environmentSpec().In(s.docs, c.App.ID).Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("name", r.Name)}})
	if err != nil {
		return nil, err
	}
	if n > 0 {
		return taken{"Duplicated environment name detected for this application! Please try with an another name"}, nil
	}
	return api.Result{Result: true}, nil
}

type environmentsReq struct{ api.List }

func environmentListing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "createdAt", Field: ".createdAt"}, {Name: "templateId", Field: ".templateId"}},
		Sort:    "name", Usual: maxPage, Most: maxPage,
	}
}

// environments lists those of the app by name.
func (s *service) environments(ctx context.Context, c api.Caller, r environmentsReq) (any, error) {
	p, err := environmentSpec().In(s.docs, c.App.ID).Page(ctx, r.Query(environmentListing()))
	return api.Bare(r.List, api.TableOf(r.List, p, api.Itself[Environment])), err
}

type usersReq struct {
	api.List
	Template    string `param:"template_id"`
	Environment string `param:"environment_id"`
}

func userListing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{}, {Name: "userName", Field: ".userName"}, {Name: "platform", Field: ".platform"}, {Name: "device", Field: ".device"}, {Name: "appVersion", Field: ".appVersion"}},
		Usual:   maxPage, Most: maxPage,
	}
}

// users answers a page of the users of an environment.
func (s *service) users(ctx context.Context, c api.Caller, r usersReq) (api.Table[User], error) {
	q := r.Query(userListing())
	q.Where = []docs.Cond{docs.Prefix("", userPrefix(c.App.ID, r.Template, r.Environment))}
	p, err := userSpec().In(s.docs, c.App.ID).Page(ctx, q)
	return api.TableOf(r.List, p, api.Itself[User]), err
}

type removeEnvironmentReq struct {
	Template    string `param:"template_id"`
	Environment string `param:"environment_id"`
}

// removeEnvironment forgets an environment and its users. What they did stays in the app's data.
func (s *service) removeEnvironment(ctx context.Context, c api.Caller, r removeEnvironmentReq) (api.Result, error) {
	c.Audit("populator_environment_removed", map[string]any{"environmentId": r.Environment, "app_id": c.App.ID, "template_id": r.Template}, nil, nil)
	return api.Result{Result: true}, s.docs.Tx(ctx, func(tx docs.Handle) error {
		of := docs.Prefix("", userPrefix(c.App.ID, r.Template, r.Environment))
		if _, err := userSpec().In(tx, c.App.ID).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{of}}); err != nil {
			return err
		}
		err := environmentSpec().In(tx, c.App.ID).Delete(ctx, r.Environment)
		if docs.IsNotFound(err) {
			return nil
		}
		return err
	})
}
