package auth

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/model"
)

// personal are properties that tell who somebody is.
var personal = []string{"_id", "did", "name", "username", "email", "phone", "picture"}

// MayAskBy reports whether a member may ask by the properties at some paths, of filters and of breakdowns: those that tell who
// somebody is need the right to read users, as does a breakdown by user; cohorts (chr) need the right to read cohorts.
func MayAskBy(m *model.Member, app model.AppID, filters, by []string) bool {
	key := func(path string) string { return strings.TrimPrefix(path, "up.") }
	who := func(path string) bool { return slices.Contains(personal, key(path)) }
	tells := slices.ContainsFunc(filters, who) || slices.ContainsFunc(by, func(path string) bool { return who(path) || key(path) == "uid" })
	return (!tells || Can(m, app, "users", model.Read)) && mayAskCohorts(m, app, filters) && mayAskCohorts(m, app, by)
}

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
