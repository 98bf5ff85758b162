package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"quipu/internal/app"
)

type adminCommand struct {
	Create           adminCreateCommand     `cmd:"" help:"Create a global administrator; the password is read from QUIPU_ADMIN_PASSWORD, the file named by QUIPU_ADMIN_PASSWORD_FILE, or standard input."`
	RotateKey        adminRotateCommand     `cmd:"" help:"Replace the API key of a member; the previous key stops working at once."`
	ResetPassword    adminResetCommand      `cmd:"" help:"Set a new password for a member, read as for create; the API key is replaced, and sessions and tokens end."`
	List             adminListCommand       `cmd:"" help:"List the global administrators."`
	ReplaceSecretKey adminReplaceKeyCommand `cmd:"" help:"Replace a lost secret key of a data folder: all members get new API keys, and all tokens and sessions end."`
}

type adminCreateCommand struct {
	settings
	Username string `required:"" help:"Name to sign in with."`
	Email    string `required:"" help:"E-mail address."`
	Name     string `help:"Full name (default: the user name)."`
}

// Run creates the administrator.
func (c *adminCreateCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	admin := app.AdminFromEnviron(os.Getenv)
	admin.Username, admin.Email, admin.FullName = c.Username, c.Email, c.Name
	if err := askPassword(&admin); err != nil {
		return err
	}
	key, err := app.CreateAdmin(ctx, cfg, admin)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "created global administrator %s, api_key %s\n", c.Username, key)
	return nil
}

type adminRotateCommand struct {
	settings
	Username string `required:"" help:"User name or e-mail address of the member."`
}

// Run rotates the key.
func (c *adminRotateCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	key, err := app.RotateKey(ctx, cfg, c.Username)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "new api_key of %s: %s\n", c.Username, key)
	return nil
}

type adminReplaceKeyCommand struct{ settings }

// Run replaces the secret key.
func (c *adminReplaceKeyCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	n, err := app.ReplaceSecretKey(ctx, cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "new secret key; %d members have new API keys, which they find on their account page or at /api-key\n", n)
	return nil
}

// askPassword reads the password from standard input where neither a variable nor a file holds it.
func askPassword(admin *app.NewAdmin) error {
	if admin.Password != "" || admin.PasswordFile != "" {
		return nil
	}
	text, err := line(os.Stdin)
	if err != nil {
		return fmt.Errorf("read password from standard input: %w", err)
	}
	admin.Password = text
	return nil
}

// line reads a short text without the end of its line.
func line(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, 1024))
	return strings.TrimRight(string(b), "\r\n"), err
}

type adminResetCommand struct {
	settings
	Username string `required:"" help:"User name or e-mail address of the member."`
	Unlock   bool   `help:"Unlock a locked member."`
	Change   bool   `name:"must-change" help:"Require the member to choose a new password at the next sign-in."`
}

// Run resets the password, through the server if one runs.
func (c *adminResetCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	admin := app.AdminFromEnviron(os.Getenv)
	if err := askPassword(&admin); err != nil {
		return err
	}
	password, err := admin.Secret()
	if err != nil {
		return err
	}
	answer, err := app.Administer(ctx, cfg, app.Process{Err: os.Stderr}, app.AdminRequest{
		Reset: &app.ResetRequest{Login: c.Username, Password: password, Unlock: c.Unlock, Change: c.Change},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s has a new password and API key; sessions and tokens have ended\n", answer.Username)
	return nil
}

type adminListCommand struct {
	settings
	All  bool `help:"List all members."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists members, through the server if one runs.
func (c *adminListCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	answer, err := app.Administer(ctx, cfg, app.Process{Err: os.Stderr}, app.AdminRequest{List: &app.ListRequest{All: c.All}})
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(out).Encode(answer.Members)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "USERNAME\tE-MAIL\tNAME\tROLE\tLAST SIGN-IN")
	for _, m := range answer.Members {
		role, last := "member", "never"
		if m.Admin {
			role = "administrator"
		}
		if m.Locked {
			role += ", locked"
		}
		if m.LastLogin > 0 {
			last = time.Unix(m.LastLogin, 0).UTC().Format(time.DateTime + " UTC")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Username, m.Email, m.FullName, role, last)
	}
	return w.Flush()
}

type tokenCommand struct {
	Revoke tokenRevokeCommand `cmd:"" help:"Revoke a token, which is read from standard input, or all tokens of a member."`
}

type tokenRevokeCommand struct {
	settings
	Username string `help:"User name or e-mail address of the member whose tokens are revoked."`
}

// Run revokes tokens, through the server if one runs. A token does not stand on the command line, where others of the machine see it.
func (c *tokenRevokeCommand) Run(ctx context.Context, out io.Writer) error {
	cfg, err := app.LoadConfig(c.Config, os.Environ(), c.flags())
	if err != nil {
		return err
	}
	ask := app.RevokeRequest{Login: c.Username}
	if c.Username == "" {
		if ask.Token, err = line(os.Stdin); err != nil {
			return fmt.Errorf("read token from standard input: %w", err)
		}
	}
	answer, err := app.Administer(ctx, cfg, app.Process{Err: os.Stderr}, app.AdminRequest{Revoke: &ask})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "revoked tokens of %s: %d\n", answer.Username, answer.Revoked)
	return nil
}
