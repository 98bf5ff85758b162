package render

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that the browser runs as when the server runs as root, so that a page that
// breaks out of the browser meets neither the data folder nor root's rights.
type account struct{ uid, gid int }

// errNoAccount says that the server is root and has no other account to give to the browser.
var errNoAccount = errors.New("the server runs as root and the user for the browser (modules.render.user) does not exist")

// findAccount returns the account of name, or nil when the server is not root and the browser
// runs with the server's own rights.
func findAccount(name string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil // nil is the server's own account
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoAccount, err)
	}
	uid, uerr := strconv.Atoi(u.Uid)
	gid, gerr := strconv.Atoi(u.Gid)
	if err := errors.Join(uerr, gerr); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoAccount, err)
	}
	if uid == 0 {
		return nil, fmt.Errorf("%w: %s is root", errNoAccount, name)
	}
	return &account{uid: uid, gid: gid}, nil
}

// apply lets the command run as the account, without supplementary groups; nil changes nothing.
func (a *account) apply(cmd *exec.Cmd) {
	if a != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}} // ids of the user database
	}
}
