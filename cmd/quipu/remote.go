package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"quipu/client"
)

// remote are the flags of commands that call a running server.
type remote struct {
	Server  string `help:"Address of the server." env:"QUIPU_SERVER" default:"http://127.0.0.1:8080" placeholder:"URL"`
	Key     string `help:"API key of a member, or a token. Command lines are visible to other users of the machine; prefer QUIPU_KEY or --key-file." env:"QUIPU_KEY" placeholder:"KEY"`
	KeyFile string `help:"File with the key." env:"QUIPU_KEY_FILE" type:"path" placeholder:"FILE"`
	Output  string `help:"Output format: table or json." short:"o" enum:"table,json" default:"table" placeholder:"FORM"`
}

const remoteHelp = `The key is the API key of a member (shown on the account page) or a token; it is read from QUIPU_KEY, from the file named by --key-file or QUIPU_KEY_FILE, or from --key. QUIPU_SERVER is the address of the server.

Server errors are printed with their code, see docs/reference/errors.md; the command then exits with status 1.`

func (r *remote) client() (*client.Client, error) {
	key := r.Key
	if key == "" && r.KeyFile != "" {
		text, err := os.ReadFile(r.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read key: %w", err)
		}
		key = strings.TrimSpace(string(text))
	}
	if key == "" {
		return nil, errors.New("no key: set QUIPU_KEY, or name a file by --key-file (see --help)")
	}
	c, err := client.New(r.Server, key)
	if err != nil {
		return nil, err
	}
	return c.Strict(), nil // people see no headers with warnings
}

// listedApp is what commands need of an app.
type listedApp struct {
	ID       string `json:"_id"`
	Name     string `json:"name"`
	Key      string `json:"key"`
	Timezone string `json:"timezone"`
	Type     string `json:"type"`
}

// appsOf lists the apps that the caller may read, by name.
func appsOf(ctx context.Context, c *client.Client) ([]listedApp, error) {
	text, err := c.GetAppsMine(ctx, client.GetAppsMineParams{})
	if err != nil {
		return nil, err
	}
	var of struct {
		Admin map[string]listedApp `json:"admin_of"`
		User  map[string]listedApp `json:"user_of"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("list of apps: %w", err)
	}
	var out []listedApp
	for id, a := range of.User {
		if _, twice := of.Admin[id]; !twice {
			out = append(out, a)
		}
	}
	for _, a := range of.Admin {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b listedApp) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// appID finds an app by its id, key or name.
func appID(ctx context.Context, c *client.Client, named string) (string, error) {
	list, err := appsOf(ctx, c)
	if err != nil {
		return "", err
	}
	var found []string
	for _, a := range list {
		if a.ID == named || a.Key == named {
			return a.ID, nil
		}
		if strings.EqualFold(a.Name, named) {
			found = append(found, a.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("no app with id, key or name %q (see quipu apps list)", named)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%d apps are named %q: use an id (see quipu apps list)", len(found), named)
}

type appsCommand struct {
	List   appsListCommand   `cmd:"" help:"List the apps that the key may read."`
	Create appsCreateCommand `cmd:"" help:"Create an app."`
}

type appsListCommand struct{ remote }

// Help says where the key comes from.
func (*appsListCommand) Help() string { return remoteHelp }

// Run lists.
func (c *appsListCommand) Run(ctx context.Context, out io.Writer) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	list, err := appsOf(ctx, api)
	if err != nil {
		return err
	}
	return c.printApps(out, list)
}

func (r *remote) printApps(out io.Writer, list []listedApp) error {
	if r.Output == "json" {
		if list == nil {
			list = []listedApp{}
		}
		return printJSON(out, list)
	}
	rows := [][]string{{"NAME", "ID", "KEY", "TYPE", "TIME ZONE"}}
	for _, a := range list {
		rows = append(rows, []string{a.Name, a.ID, a.Key, a.Type, a.Timezone})
	}
	return printRows(out, rows)
}

type appsCreateCommand struct {
	remote
	Name     string `arg:"" help:"Name of the app."`
	Timezone string `help:"Time zone of the app, an IANA name." default:"UTC" placeholder:"ZONE"`
	Type     string `help:"Type of the app: mobile, web, desktop or another." default:"web" placeholder:"TYPE"`
}

// Help says where the key comes from.
func (*appsCreateCommand) Help() string {
	return "Needs the key of a global administrator.\n\n" + remoteHelp
}

// Run creates.
func (c *appsCreateCommand) Run(ctx context.Context, out io.Writer) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	made, err := api.PostAppsCreate(ctx, client.PostAppsCreateParams{Args: map[string]string{"name": c.Name, "timezone": c.Timezone, "type": c.Type}})
	if err != nil {
		return err
	}
	return c.printApps(out, []listedApp{{ID: made.ID, Name: made.Name, Key: made.Key, Timezone: made.Timezone, Type: made.Type}})
}

// queryCommands read figures and say how they are read.
type queryCommands struct {
	Read    queryCommand   `cmd:"" default:"withargs" help:"Read figures of a running server."`
	Explain explainCommand `cmd:"" help:"Show what a read of figures asks for, and what the server does for it."`
}

// asked is a read that the command line names.
type asked struct {
	remote
	What       string   `arg:"" help:"What to read: a method such as sessions, countries or events, or a path such as /o/apps/mine."`
	Parameters []string `arg:"" optional:"" name:"name=value" help:"Further parameters."`
	App        string   `help:"The app: its id, key or name." short:"a" env:"QUIPU_APP" placeholder:"APP"`
	Period     string   `help:"Period: 30days, month, 2026-01-31 and so on." short:"p" placeholder:"PERIOD"`
}

type queryCommand struct{ asked }

// Help shows examples.
func (*queryCommand) Help() string {
	return `Reads anything below /o of the API; docs/reference/api lists methods, paths and their parameters. Lists and objects are shown as tables; --output json shows the complete answer.

Examples:

    quipu query --app Shop --period 7days sessions

    quipu query --app Shop /o/analytics/events events='["purchase"]'

    quipu query --output json /o/apps/mine

    quipu query explain --app Shop --period 7days sessions

` + remoteHelp
}

// parse returns a client of the server, and the path and the parameters of the read.
func (c *asked) parse(ctx context.Context) (api *client.Client, path string, params url.Values, err error) {
	if api, err = c.client(); err != nil {
		return nil, "", nil, err
	}
	params = url.Values{}
	path = c.What
	if !strings.HasPrefix(path, "/") {
		path = "/o"
		params.Set("method", c.What)
	} else if path != "/o" && !strings.HasPrefix(path, "/o/") {
		return nil, "", nil, fmt.Errorf("%s is not a read: paths begin with /o", path)
	}
	for _, p := range c.Parameters {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, "", nil, fmt.Errorf("%q does not have the form name=value", p)
		}
		params.Set(name, value)
	}
	if c.App != "" {
		id, err := appID(ctx, api, c.App)
		if err != nil {
			return nil, "", nil, err
		}
		params.Set("app_id", id)
	}
	if c.Period != "" {
		params.Set("period", c.Period)
	}
	return api, path, params, nil
}

// Run reads and prints.
func (c *queryCommand) Run(ctx context.Context, out io.Writer) error {
	api, path, params, err := c.parse(ctx)
	if err != nil {
		return err
	}
	var answer json.RawMessage
	if err := api.Do(ctx, http.MethodGet, path, params, &answer); err != nil {
		return err
	}
	if c.Output == "json" {
		return printJSON(out, answer)
	}
	rows := rowsOf(answer)
	if len(rows) == 0 || len(rows) == 1 && len(rows[0]) == 0 {
		_, err := fmt.Fprintln(out, "No data. Choose other days with --period, or see the raw answer with --output json.")
		return err
	}
	return printRows(out, rows)
}

type tailCommand struct {
	remote
	App string `help:"The app: its id, key or name." short:"a" required:"" env:"QUIPU_APP" placeholder:"APP"`
	Max int    `help:"Stop after this many requests; 0 = never." short:"n" placeholder:"N"`
}

// Help says what is shown.
func (*tailCommand) Help() string {
	return `Shows what an app records, as it happens, until stopped with Ctrl-C: one line per client request, or one JSON object with --output json. It begins with the latest requests of the last day. Needs the right to read events.

` + remoteHelp
}

// errEnough ends a stream.
var errEnough = errors.New("enough")

// Run follows.
func (c *tailCommand) Run(ctx context.Context, out io.Writer) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	id, err := appID(ctx, api, c.App)
	if err != nil {
		return err
	}
	shown := 0
	err = api.Stream(ctx, "/o/live/feed", client.GetLiveFeedParams{AppID: id}, func(e client.Event) error {
		switch e.Kind {
		case "end":
			var why client.Error
			var end struct{ Code, Text string }
			if json.Unmarshal(e.Data, &end) == nil {
				why.Code, why.Detail = end.Code, end.Text
			}
			return &why
		case "feed":
		default:
			return nil
		}
		var feed struct {
			Entries []json.RawMessage `json:"entries"`
			Skipped int               `json:"skipped"`
		}
		if err := json.Unmarshal(e.Data, &feed); err != nil {
			return fmt.Errorf("event of the stream: %w", err)
		}
		if feed.Skipped > 0 && c.Output == "table" {
			fmt.Fprintf(out, "… %d more\n", feed.Skipped)
		}
		for _, entry := range feed.Entries {
			if err := c.print(out, entry); err != nil {
				return err
			}
			if shown++; c.Max > 0 && shown >= c.Max {
				return errEnough
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (c *tailCommand) print(out io.Writer, text json.RawMessage) error {
	if c.Output == "json" {
		_, err := fmt.Fprintf(out, "%s\n", printableJSON(text))
		return err
	}
	var e struct {
		At                                          int64
		New, Begin, End, Crash, Consent, Person     bool
		Seconds                                     float64
		Country, City, Device, OS, Browser, Version string
		UID                                         json.Number
		Events                                      []struct {
			Key      string
			Count    int64
			Sum      float64
			Segments [][2]string
		}
		More int
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return fmt.Errorf("entry of the stream: %w", err)
	}
	var parts []string
	for _, is := range []struct {
		so   bool
		text string
	}{{e.New, "new user"}, {e.Begin, "session begins"}, {e.End, "session ends"}, {e.Crash, "crash"}, {e.Consent, "consent"}, {e.Person, "user details"}} {
		if is.so {
			parts = append(parts, is.text)
		}
	}
	if e.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%g s", e.Seconds))
	}
	for _, ev := range e.Events {
		line := []string{ev.Key}
		if ev.Count > 1 {
			line = append(line, fmt.Sprintf("×%d", ev.Count))
		}
		if ev.Sum != 0 {
			line = append(line, fmt.Sprintf("sum=%g", ev.Sum))
		}
		for _, s := range ev.Segments {
			line = append(line, s[0]+"="+s[1])
		}
		parts = append(parts, strings.Join(line, " "))
	}
	if e.More > 0 {
		parts = append(parts, fmt.Sprintf("%d more events", e.More))
	}
	if len(parts) == 0 {
		parts = []string{"request"}
	}
	where := strings.Join(slices.DeleteFunc([]string{e.Country, e.City, e.Device, e.OS, e.Browser, e.Version}, func(s string) bool { return s == "" || s == "Unknown" }), ", ")
	if where != "" {
		where = "  [" + where + "]"
	}
	_, err := fmt.Fprintln(out, time.UnixMilli(e.At).Format(time.TimeOnly)+"  "+printable(strings.Join(parts, " · ")+where))
	return err
}

// printable leaves out what could steer a terminal: texts of apps come from anyone.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '�'
		}
		return r
	}, s)
}

func printJSON(out io.Writer, v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(printableJSON(text.Bytes()))
	return err
}

// printableJSON escapes what could steer a terminal and JSON lets stand as it is: DEL, the controls from U+0080 on, and marks of direction and the like. The values
// stay the same.
func printableJSON(text []byte) []byte {
	steers := func(r rune) bool { return r >= 0x7f && !unicode.IsPrint(r) }
	if bytes.IndexFunc(text, steers) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if !steers(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func printRows(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = printable(row[i])
		}
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return w.Flush()
}

// rowsOf makes a table of an answer: a list of objects has their fields as columns, also where it is all that an object has; everything else is a
// row for each value, by its path.
func rowsOf(answer json.RawMessage) [][]string {
	if fields := fieldsOf(answer); len(fields) == 1 {
		var list []json.RawMessage
		if json.Unmarshal(fields[0].value, &list) == nil && objects(list) {
			answer = fields[0].value
		}
	}
	var table struct {
		Rows  []json.RawMessage `json:"aaData"`
		Total int               `json:"iTotalDisplayRecords"`
	}
	list := []json.RawMessage(nil)
	if json.Unmarshal(answer, &table) == nil && table.Rows != nil {
		list = table.Rows
	} else if json.Unmarshal(answer, &list) != nil || !objects(list) {
		rows := [][]string{}
		flatten(answer, "", &rows)
		return rows
	}
	var columns []string
	cells := make([]map[string]string, len(list))
	for i, row := range list {
		cells[i] = map[string]string{}
		for _, f := range fieldsOf(row) {
			if !slices.Contains(columns, f.name) {
				columns = append(columns, f.name)
			}
			cells[i][f.name] = plainText(f.value)
		}
	}
	rows := [][]string{columns}
	for _, cell := range cells {
		row := make([]string, len(columns))
		for i, name := range columns {
			row[i] = cell[name]
		}
		rows = append(rows, row)
	}
	return rows
}

func objects(list []json.RawMessage) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v json.RawMessage) bool { return v[0] != '{' })
}

type jsonField struct {
	name  string
	value json.RawMessage
}

// fieldsOf returns the fields of an object in their order; none for anything else.
func fieldsOf(text json.RawMessage) (out []jsonField) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return out
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return out
		}
		out = append(out, jsonField{name.(string), v})
	}
	return out
}

// flatten adds a row for each value that is no object.
func flatten(text json.RawMessage, path string, rows *[][]string) {
	if len(text) > 0 && text[0] == '{' {
		for _, f := range fieldsOf(text) {
			name := f.name
			if path != "" {
				name = path + "." + name
			}
			flatten(f.value, name, rows)
		}
		return
	}
	*rows = append(*rows, []string{path, plainText(text)})
}

// plainText is a JSON text as itself, and everything else as JSON.
func plainText(text json.RawMessage) string {
	var s string
	if json.Unmarshal(text, &s) == nil {
		return s
	}
	return string(text)
}
