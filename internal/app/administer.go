package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// maxAdminBody bounds a request of a command to the server, bytes.
const maxAdminBody = 64 << 10

// localUser is who the audit log says did what a command did.
const localUser = "command line"

// AdminRequest is what a command asks of the members of a data folder. One of the fields is set.
type AdminRequest struct {
	// List asks for the global administrators, or for all members.
	List *ListRequest `json:"list,omitempty"`
	// Reset gives a member another password.
	Reset *ResetRequest `json:"reset,omitempty"`
	// Revoke ends tokens.
	Revoke *RevokeRequest `json:"revoke,omitempty"`
}

// ListRequest says who is listed.
type ListRequest struct {
	All bool `json:"all"` // members who are no global administrators, too
}

// ResetRequest names a member, by user name or e-mail address, and the new password.
type ResetRequest struct {
	Login    string `json:"login"`
	Password string `json:"password"`
	// Unlock lets a locked member in again.
	Unlock bool `json:"unlock"`
	// Change asks the member for another password at the next sign-in.
	Change bool `json:"change"`
}

// RevokeRequest names a token, or a member all of whose tokens are to end.
type RevokeRequest struct {
	Token string `json:"token,omitempty"`
	Login string `json:"login,omitempty"`
}

// AdminMember is a member as a command lists it.
type AdminMember struct {
	Username  string `json:"username"`
	Email     string `json:"email"`
	FullName  string `json:"full_name"`
	Admin     bool   `json:"global_admin"`
	Locked    bool   `json:"locked"`
	LastLogin int64  `json:"last_login"` // s, 0 = never
}

// AdminAnswer is what came of a request.
type AdminAnswer struct {
	Members []AdminMember `json:"members,omitempty"`
	// Username is the member that was changed, or whose tokens ended.
	Username string `json:"username,omitempty"`
	// Revoked is how many tokens ended.
	Revoked int `json:"revoked,omitempty"`
}

// Administer does what a command asks. A server that runs on the folder does it: it knows what it holds in memory, so that sessions and
// tokens end at once, and its audit log notes it. Where none runs, the folder is opened for it, with the same log. Users may do so who may
// enter the data folder.
func Administer(ctx context.Context, cfg Config, proc Process, ask AdminRequest) (answer AdminAnswer, err error) {
	if err := isDataFolder(cfg.Data); err != nil {
		return answer, err
	}
	text, err := json.Marshal(ask)
	if err != nil {
		return answer, fmt.Errorf("ask the server: %w", err)
	}
	body, err := askServer(ctx, cfg.Data, "/admin", text)
	if errors.Is(err, errNoServer) {
		err = opened(ctx, cfg, proc, func(ctx context.Context, a *App) (err error) {
			answer, err = a.administer(ctx, ask)
			return err
		})
		return answer, err
	}
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return answer, fmt.Errorf("answer of the server: %w", err)
	}
	return answer, nil
}

// serveAdmin answers a command.
func (a *App) serveAdmin(w http.ResponseWriter, r *http.Request) {
	var ask AdminRequest
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAdminBody))
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		err = dec.Decode(&ask)
	}
	var answer AdminAnswer
	if err == nil {
		answer, err = a.administer(r.Context(), ask)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		a.log.DebugContext(r.Context(), "command left before its answer", "err", err)
	}
}

// administer does what a command asks.
func (a *App) administer(ctx context.Context, ask AdminRequest) (AdminAnswer, error) {
	switch {
	case ask.List != nil:
		return a.listMembers(ctx, *ask.List)
	case ask.Reset != nil:
		return a.resetPassword(ctx, *ask.Reset)
	case ask.Revoke != nil:
		return a.revokeTokens(ctx, *ask.Revoke)
	}
	return AdminAnswer{}, errors.New("the server does not know this command; both should have the same version")
}

func (a *App) listMembers(ctx context.Context, ask ListRequest) (out AdminAnswer, err error) {
	list, err := a.auth.Members(ctx)
	if err != nil {
		return out, fmt.Errorf("list members: %w", err)
	}
	for _, m := range list {
		if ask.All || m.GlobalAdmin {
			out.Members = append(out.Members, AdminMember{
				Username: m.Username, Email: m.Email, FullName: m.FullName, Admin: m.GlobalAdmin, Locked: m.Locked, LastLogin: m.LastLogin,
			})
		}
	}
	return out, nil
}

// resetPassword gives a member another password, which also replaces the API key and ends sessions and tokens, and
// lifts what failed sign-ins blocked.
func (a *App) resetPassword(ctx context.Context, ask ResetRequest) (out AdminAnswer, err error) {
	m, err := a.auth.MemberByLogin(ctx, ask.Login)
	if err != nil {
		return out, fmt.Errorf("reset password of %s: %w", ask.Login, err)
	}
	if m.Locked && !ask.Unlock {
		return out, fmt.Errorf("%s is locked; --unlock lets the member in again", m.Username)
	}
	change := auth.MemberChange{Password: &ask.Password}
	if ask.Change {
		change.MustChangePassword = &ask.Change
	}
	if ask.Unlock {
		open := false
		change.Locked = &open
	}
	if _, err := a.auth.UpdateMember(ctx, m.ID, change, ""); err != nil {
		return out, fmt.Errorf("reset password of %s: %w", m.Username, err)
	}
	for _, login := range []string{m.Username, m.Email} {
		if err := a.auth.ResetThrottle(ctx, login); err != nil && !docs.IsNotFound(err) {
			return out, fmt.Errorf("lift the block of %s: %w", m.Username, err)
		}
	}
	return AdminAnswer{Username: m.Username}, a.note(ctx, "users_update", "admin reset-password", m, map[string]any{"unlocked": m.Locked && ask.Unlock, "must_change_password": ask.Change})
}

// revokeTokens ends a token, or all of a member.
func (a *App) revokeTokens(ctx context.Context, ask RevokeRequest) (out AdminAnswer, err error) {
	var m *model.Member
	switch {
	case (ask.Token == "") == (ask.Login == ""):
		return out, errors.New("name either a token or a member")
	case ask.Login != "":
		if m, err = a.auth.MemberByLogin(ctx, ask.Login); err == nil {
			out.Revoked, err = a.auth.DeleteTokens(ctx, m.ID)
		}
	default:
		if m, err = a.auth.OwnerOfToken(ctx, ask.Token); err == nil {
			var found bool
			if found, err = a.auth.DeleteToken(ctx, m.ID, ask.Token); found {
				out.Revoked = 1
			}
		}
	}
	if err != nil {
		return out, fmt.Errorf("revoke: %w", err)
	}
	out.Username = m.Username
	if out.Revoked == 0 {
		return out, nil
	}
	return out, a.note(ctx, "token_delete", "token revoke", m, map[string]any{"tokens": out.Revoked})
}

// note has the audit log say what a command did to a member.
func (a *App) note(ctx context.Context, action, command string, m *model.Member, data map[string]any) error {
	data["user_id"], data["username"], data["command"] = m.ID, m.Username, "quipu "+command
	err := hook.Emit(ctx, a.bus, topic.Action{At: a.now(), Name: action, Username: localUser, Data: data})
	if err != nil {
		return fmt.Errorf("it is done, but the audit log does not say so: %w", err)
	}
	a.log.WarnContext(ctx, "a command changed a member", "command", command, "member", m.Username)
	return nil
}

// askServer posts to the running server of a folder, and returns its answer. The error is errNoServer where none runs.
func askServer(ctx context.Context, dir, path string, body []byte) (answer []byte, err error) {
	res, held, err := postServer(ctx, dir, path, body)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, res.Body.Close(), held.Close()) }()
	if err := answered(res); err != nil {
		return nil, err
	}
	if answer, err = io.ReadAll(res.Body); err != nil {
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	return answer, nil
}

// postServer posts to the running server of a folder. The caller closes the body of the response, then held. The error is errNoServer where none runs.
func postServer(ctx context.Context, dir, path string, body []byte) (res *http.Response, held io.Closer, err error) {
	client, held, err := controlClient(dir)
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://quipu"+path, bytes.NewReader(body))
	if err == nil {
		if res, err = client.Do(req); err == nil {
			return res, held, nil
		}
	}
	if noServer(err) {
		return nil, nil, errors.Join(errNoServer, held.Close())
	}
	return nil, nil, errors.Join(fmt.Errorf("ask the server: %w", err), held.Close())
}

// answered returns the error that a response of the server stands for.
func answered(res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	if res.StatusCode == http.StatusNotFound {
		return errors.New("the running server does not know this command; restart it with the version of this program")
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("ask the server: %w", err)
	}
	return errors.New(strings.TrimSpace(string(text)))
}
