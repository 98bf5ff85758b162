package model

// Member is a person who reads the dashboard or calls the API.
type Member struct {
	ID       MemberID `json:"_id"`
	FullName string   `json:"full_name"`
	Username string   `json:"username"`
	Email    string   `json:"email"`
	// PasswordHash is an argon2id hash in PHC format; it never leaves the server.
	PasswordHash string     `json:"password_hash"`
	APIKey       string     `json:"-"` // 32 hex digits; kept sealed, by package auth
	GlobalAdmin  bool       `json:"global_admin"`
	Locked       bool       `json:"locked"`
	Permission   Permission `json:"permission"`
	CreatedAt    int64      `json:"created_at"` // s
	LastLogin    int64      `json:"last_login"` // s, 0 = never
	// PasswordChanged is when the member last chose the password, s; 0 = the present one was given by someone else.
	PasswordChanged int64 `json:"password_changed"`
	// PasswordSet is when the present password was set, by the member or an administrator, s; 0 = before this was recorded.
	PasswordSet int64 `json:"password_set,omitempty"`
	// MustChangePassword asks for a new password before the next session.
	MustChangePassword bool `json:"must_change_password,omitempty"`
	// PasswordHistory are the hashes of the passwords before, the latest first, as many as may not come back.
	PasswordHistory []string       `json:"password_history,omitempty"`
	Lang            string         `json:"lang,omitempty"`
	Settings        map[string]any `json:"settings,omitempty"`
	HomeSettings    map[string]any `json:"homeSettings,omitempty"`
}

// Action is one of the four verbs of a right.
type Action uint8

// The actions. The zero value is none, which no rule grants.
const (
	NoAction Action = iota
	Create
	Read
	Update
	Delete
)

// Permission is what a member may do, in the wire's form (wire.md 7.2).
type Permission struct {
	Apps   PermissionApps       `json:"_"`
	Create map[string]AppRights `json:"c"`
	Read   map[string]AppRights `json:"r"`
	Update map[string]AppRights `json:"u"`
	Delete map[string]AppRights `json:"d"`
}

// PermissionApps names the apps a member administers (A) and uses (U, groups
// of apps that share one rule set).
type PermissionApps struct {
	Admin []string   `json:"a"`
	User  [][]string `json:"u"`
}

// AppRights are the rights of one action in one app.
type AppRights struct {
	All     bool            `json:"all"`
	Allowed map[string]bool `json:"allowed"`
}

// String returns the action's name in lower case.
func (a Action) String() string {
	names := [...]string{"none", "create", "read", "update", "delete"}
	if int(a) < len(names) {
		return names[a]
	}
	return "unknown"
}
