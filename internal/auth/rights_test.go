package auth_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/auth"
	"quipu/internal/model"
)

func parse(t *testing.T, text string) model.Permission {
	t.Helper()
	var p model.Permission
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCan(t *testing.T) {
	app := model.AppID{0xA1}
	id := app.String()
	for _, test := range []struct {
		name       string
		member     *model.Member
		permission string // with A for the app
		action     model.Action
		feature    string
		want       bool
	}{
		{"nobody", nil, `{}`, model.Read, "core", false},
		{"nothing", &model.Member{}, `{}`, model.Read, "core", false},
		{"global", &model.Member{GlobalAdmin: true}, `{}`, model.Delete, "core", true},
		{"global, locked", &model.Member{GlobalAdmin: true, Locked: true}, `{}`, model.Read, "core", false},
		{"admin", &model.Member{}, `{"_":{"a":["A"]}}`, model.Delete, "crashes", true},
		{"admin of another", &model.Member{}, `{"_":{"a":["B"]}}`, model.Read, "core", false},
		{"admin, locked", &model.Member{Locked: true}, `{"_":{"a":["A"]}}`, model.Read, "core", false},
		{"user without rules", &model.Member{}, `{"_":{"u":[["A"]]}}`, model.Read, "core", false},
		{"user with all", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{"all":true}}}`, model.Read, "anything", true},
		{"user with the feature", &model.Member{}, `{"_":{"u":[["B"],["C","A"]]},"r":{"A":{"all":false,"allowed":{"core":true}}}}`, model.Read, "core", true},
		{"flat", &model.Member{}, `{"_":{"u":["A"]},"r":{"A":{"allowed":{"core":true}}}}`, model.Read, "core", true},
		{"another feature", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{"allowed":{"core":true}}}}`, model.Read, "hooks", false},
		{"feature refused", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{"allowed":{"core":false}}}}`, model.Read, "core", false},
		{"another action", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{"all":true}}}`, model.Create, "core", false},
		{"create", &model.Member{}, `{"_":{"u":[["A"]]},"c":{"A":{"all":true}}}`, model.Create, "core", true},
		{"update", &model.Member{}, `{"_":{"u":[["A"]]},"u":{"A":{"all":true}}}`, model.Update, "core", true},
		{"delete", &model.Member{}, `{"_":{"u":[["A"]]},"d":{"A":{"all":true}}}`, model.Delete, "core", true},
		{"rules without membership", &model.Member{}, `{"r":{"A":{"all":true}}}`, model.Read, "core", false},
		{"no rights of its own", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{}}}`, model.Read, "core", false},
		{"no action", &model.Member{}, `{"_":{"u":[["A"]]},"r":{"A":{"all":true}}}`, model.NoAction, "core", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.member != nil {
				test.member.Permission = parse(t, replaceApp(test.permission, id))
			}
			if got := auth.Can(test.member, app, test.feature, test.action); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

func replaceApp(text, id string) string {
	out := ""
	for i := 0; i < len(text); i++ {
		if i+3 <= len(text) && text[i:i+3] == `"A"` {
			out += `"` + id + `"`
			i += 2
			continue
		}
		out += text[i : i+1]
	}
	return out
}

func TestWithLegacy(t *testing.T) {
	for _, test := range []struct {
		name            string
		in              string
		adminOf, userOf []string
		want            string
	}{
		{"nothing", `{"_":{"a":["a"],"u":[["b"]]}}`, nil, nil, `{"_":{"a":["a"],"u":[["b"]]}}`},
		{"admin_of replaces", `{"_":{"a":["a"]}}`, []string{"x"}, nil, `{"_":{"a":["x"]}}`},
		{"empty lists take away", `{"_":{"a":["a"],"u":[["b"]]}}`, []string{}, []string{}, `{}`},
		{"user_of reads", `{}`, nil, []string{"x", "y"}, `{"_":{"u":[["x","y"]]},"r":{
			"x":{"all":false,"allowed":{"core":true,"events":true}},"y":{"all":false,"allowed":{"core":true,"events":true}}}}`},
		{"user_of keeps finer rights", `{"_":{"u":[["x"]]},"r":{"x":{"all":true}}}`, nil, []string{"x"}, `{"_":{"u":[["x"]]},"r":{"x":{"all":true}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := auth.WithLegacy(parse(t, test.in), test.adminOf, test.userOf)
			if diff := cmp.Diff(parse(t, test.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMerge holds the merge to its definition: it allows what one of the
// permissions allows, and nothing more.
func TestMerge(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	apps := []model.AppID{{1}, {2}, {3}}
	features := []string{"core", "hooks"}
	actions := []model.Action{model.Create, model.Read, model.Update, model.Delete}
	random := func() model.Permission {
		p := model.Permission{}.Clone()
		for _, app := range apps {
			id := app.String()
			if r.IntN(4) == 0 {
				p.Apps.Admin = append(p.Apps.Admin, id)
			}
			if r.IntN(2) == 0 {
				p.Apps.User = append(p.Apps.User, []string{id})
			}
			for _, a := range actions {
				if r.IntN(2) == 0 {
					p.Rules(a)[id] = model.AppRights{All: r.IntN(4) == 0, Allowed: map[string]bool{features[r.IntN(2)]: r.IntN(2) == 0}}
				}
			}
		}
		return p
	}
	for range 300 {
		ps := []model.Permission{random(), random(), random()}
		merged := &model.Member{Permission: auth.Merge(ps...)}
		for _, app := range apps {
			for _, f := range features {
				for _, a := range actions {
					want := false
					for _, p := range ps {
						want = want || auth.Can(&model.Member{Permission: p}, app, f, a)
					}
					if got := auth.Can(merged, app, f, a); got != want {
						t.Fatalf("app %s, %s, action %d: got %t, want %t of %s", app, f, a, got, want, fmt.Sprintf("%+v", ps))
					}
				}
			}
		}
	}
}
