package auth

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/model"
)

// personal are properties that tell who somebody is, and single those that are one person's or one session's alone, without telling whose.
var (
	personal = []string{"_id", "did", "name", "username", "email", "phone", "picture"}
	single   = []string{"uid", "lsid"}
)

// MayLookAtPeople reports whether a member may see single people: lists of them and their numbers, and what is known of one of them.
func MayLookAtPeople(m *model.Member, app model.AppID) bool { return Can(m, app, "users", model.Read) }

// MayAskBy reports whether a member may ask by the properties at some paths, of filters and of breakdowns: those that tell who
// somebody is, or select one person or session, need the right to read users, as figures of one person are nobody else's; cohorts (chr) need the
// right to read cohorts.
func MayAskBy(m *model.Member, app model.AppID, filters, by []string) bool {
	one := func(path string) bool { return slices.Contains(single, strings.TrimPrefix(path, "up.")) || tells(path) }
	return (!slices.ContainsFunc(filters, one) && !slices.ContainsFunc(by, one) || MayLookAtPeople(m, app)) && mayAskCohorts(m, app, filters) && mayAskCohorts(m, app, by)
}

// MayRead reports whether a member may see the property at a path in rows that are not listed by person: those that tell who somebody is need the
// right to read users, cohorts that to read cohorts.
func MayRead(m *model.Member, app model.AppID, path string) bool {
	return (!tells(path) || MayLookAtPeople(m, app)) && mayAskCohorts(m, app, []string{path})
}

// tells reports whether the property at a path tells who somebody is.
func tells(path string) bool { return slices.Contains(personal, strings.TrimPrefix(path, "up.")) }

// MayAskOfUsers is MayAskBy where any property but those of events (sg.…) and cohorts needs the right to read users.
func MayAskOfUsers(m *model.Member, app model.AppID, paths []string) bool {
	of := func(path string) bool { return !strings.HasPrefix(path, "sg.") && !ofCohorts(path) }
	return (!slices.ContainsFunc(paths, of) || Can(m, app, "users", model.Read)) && mayAskCohorts(m, app, paths)
}

func ofCohorts(path string) bool { return path == "chr" || strings.HasPrefix(path, "chr.") }

func mayAskCohorts(m *model.Member, app model.AppID, paths []string) bool {
	return !slices.ContainsFunc(paths, ofCohorts) || Can(m, app, "cohorts", model.Read)
}

// askedByKey is the key of the member in a context.
type askedByKey struct{}

// AskedBy returns a context that carries the member on whose behalf something is read. What members have for themselves, such as private
// cohorts, exists in such a context for those who may see it.
func AskedBy(ctx context.Context, m *model.Member) context.Context {
	return context.WithValue(ctx, askedByKey{}, m)
}

// Asker returns the member of AskedBy; nil where the server reads on its own behalf.
func Asker(ctx context.Context) *model.Member {
	m, _ := ctx.Value(askedByKey{}).(*model.Member)
	return m
}
