package query

import "quipu/internal/model"

// usersTable is the name of an app's users table in the embedded event store.
func usersTable(app model.AppID) string { return `"u_` + app.String() + `"` }
