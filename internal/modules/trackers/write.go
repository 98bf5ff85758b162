package trackers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/outbound"
	"quipu/internal/store/docs"
)

// Bounds of issues, which all trackers take.
const (
	maxTitle = 250    // bytes
	maxText  = 30_000 // bytes
	maxStack = 20_000 // bytes of the text that is offered
	symbols  = 5 * time.Second
)

type groupReq struct {
	Group string `param:"group"`
}

// group returns the group that a request names.
func (s *service) group(ctx context.Context, app model.AppID, id string) (kernel.CrashGroup, error) {
	if id == "" {
		return kernel.CrashGroup{}, api.MissingParam("group")
	}
	g, ok, err := s.crashes.About(ctx, app, id)
	if err == nil && !ok {
		err = errNoGroup
	}
	return g, err
}

// linked is what reads and writes of a group's issue answer.
type linked struct {
	Issue *issueView `json:"issue"` // null = none
}

func showing(l link) linked { v := l.view(); return linked{&v} }

func (s *service) readIssue(ctx context.Context, c api.Caller, r groupReq) (linked, error) {
	if r.Group == "" {
		return linked{}, api.MissingParam("group")
	}
	l, err := s.get(ctx, c.App.ID, r.Group)
	if fault.CodeOf(err) == errNotLinked.Code {
		return linked{}, nil
	}
	if err != nil {
		return linked{}, err
	}
	return showing(l), nil
}

type draftReq struct {
	Group   string `param:"group"`
	Address string `param:"address"`
}

// proposal is an issue as it would be made.
type proposal struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// draft proposes title and text of an issue.
func (s *service) draft(ctx context.Context, c api.Caller, r draftReq) (proposal, error) {
	g, err := s.group(ctx, c.App.ID, r.Group)
	if err != nil {
		return proposal{}, err
	}
	set, err := s.of(ctx, c.App)
	if err != nil {
		return proposal{}, err
	}
	base := s.base()
	if r.Address != "" {
		if base, err = outbound.Address(r.Address); err != nil {
			return proposal{}, bad("Parameter \"address\" " + err.Error())
		}
	}
	stack, err := s.stack(ctx, c.App.ID, g.ID)
	if err != nil {
		return proposal{}, err
	}
	return proposal{titleOf(g), textOf(set, c.App, g, stack, base)}, nil
}

// stack returns the error of a group, symbolicated where that is possible.
func (s *service) stack(ctx context.Context, app model.AppID, group string) (string, error) {
	first, ok, err := s.crashes.Group(ctx, app, group)
	if err != nil || !ok {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, symbols)
	defer cancel()
	if text, ok := s.symbols.Readable(ctx, app, first); ok {
		return text, nil
	}
	return first.Text, nil
}

// titleOf is the name of a group in one line.
func titleOf(g kernel.CrashGroup) string {
	title := strings.Join(strings.Fields(strings.ToValidUTF8(g.Name, "")), " ")
	if title == "" {
		title = "Crash"
	}
	return cut(title, maxTitle)
}

// textOf describes a group in the markup of a tracker. What clients sent stands where no tracker reads markup or mentions in it.
func textOf(set *settings, app *model.App, g kernel.CrashGroup, stack, base string) string {
	code := func(text string) string {
		text = strings.Join(strings.Fields(text), " ")
		if set.Tracker == trackerJira {
			return "{{" + strings.NewReplacer("{", "(", "}", ")", "[", "(", "]", ")", "|", "/").Replace(text) + "}}"
		}
		return "`" + strings.ReplaceAll(text, "`", "'") + "`"
	}
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, value) }
	kind := "fatal"
	if g.NonFatal {
		kind = "non-fatal"
	}
	moment := func(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04 UTC") }
	if base != "" {
		line("Crash group", base+"/dashboard/apps/"+app.ID.String()+"/crashes/"+g.ID)
		b.WriteByte('\n')
	}
	bullet := "- "
	if set.Tracker == trackerJira {
		bullet = "* "
	}
	line(bullet+"App", code(app.Name))
	line(bullet+"Kind", kind)
	line(bullet+"Reports", fmt.Sprint(g.Reports))
	line(bullet+"Users", fmt.Sprint(g.Users))
	if g.OS != "" {
		line(bullet+"OS", code(g.OS))
	}
	if g.Version != "" {
		line(bullet+"Latest version", code(g.Version))
	}
	line(bullet+"First seen", moment(g.First))
	line(bullet+"Last seen", moment(g.Last))
	b.WriteString("\n" + fenced(set, cut(strings.ReplaceAll(stack, "\r\n", "\n"), maxStack)) + "\n")
	return b.String()
}

// fenced puts a text where it stands as it is.
func fenced(set *settings, text string) string {
	if set.Tracker == trackerJira {
		return "{noformat}\n" + strings.ReplaceAll(text, "{noformat", "{ noformat") + "\n{noformat}"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence
}

type createReq struct {
	Group   string `param:"group"`
	Title   string `param:"title"`
	Text    string `param:"text"`
	Address string `param:"address"`
}

// create makes an issue of a group. Title and text are those of the draft unless others are sent.
func (s *service) create(ctx context.Context, c api.Caller, r createReq) (linked, error) {
	g, err := s.group(ctx, c.App.ID, r.Group)
	if err != nil {
		return linked{}, err
	}
	l, err := s.make(ctx, c, g, r.Title, r.Text, r.Address)
	if err != nil {
		return linked{}, err
	}
	return showing(l), nil
}

// make makes an issue of a group and links it.
func (s *service) make(ctx context.Context, c api.Caller, g kernel.CrashGroup, title, text, address string) (link, error) {
	set, err := s.of(ctx, c.App)
	if err != nil {
		return link{}, err
	}
	if len(title) > maxTitle || len(text) > maxText {
		return link{}, bad(fmt.Sprintf("The title is longer than %d bytes, or the text than %d", maxTitle, maxText))
	}
	d := draft{strings.Join(strings.Fields(strings.ToValidUTF8(title, "")), " "), strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")}
	if d.Title == "" || d.Text == "" {
		p, err := s.draft(ctx, c, draftReq{g.ID, address})
		if err != nil {
			return link{}, err
		}
		if d.Title == "" {
			d.Title = p.Title
		}
		if d.Text == "" {
			d.Text = p.Text
		}
	}
	t, err := s.open(ctx, set)
	if err != nil {
		return link{}, err
	}
	return s.linking(ctx, c, set, g, mark(), func(l link, again bool) (issue, error) { return findOrMake(ctx, set, t, l, again, d) })
}

func audited(l link) map[string]any {
	return map[string]any{"_id": l.Group, "tracker": l.Tracker, "key": l.Issue, "url": l.URL, "state": l.State}
}

type linkReq struct {
	Group string `param:"group"`
	Issue string `param:"issue"`
}

// link links a group with an issue that is there, by its address, key or number.
func (s *service) link(ctx context.Context, c api.Caller, r linkReq) (linked, error) {
	g, err := s.group(ctx, c.App.ID, r.Group)
	if err != nil {
		return linked{}, err
	}
	if r.Issue == "" || len(r.Issue) > 2000 {
		return linked{}, errIssueName
	}
	set, err := s.of(ctx, c.App)
	if err != nil {
		return linked{}, err
	}
	t, err := s.open(ctx, set)
	if err != nil {
		return linked{}, err
	}
	key, err := t.key(r.Issue)
	if err != nil {
		return linked{}, err
	}
	l, err := s.linking(ctx, c, set, g, "", func(link, bool) (issue, error) { return t.read(ctx, key) })
	if err != nil {
		return linked{}, err
	}
	return showing(l), nil
}

// unlink forgets the issue of a group. The issue stays as it is.
func (s *service) unlink(ctx context.Context, c api.Caller, r groupReq) (api.Result, error) {
	if r.Group == "" {
		return api.Result{}, api.MissingParam("group")
	}
	l, err := s.get(ctx, c.App.ID, r.Group)
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", audited(l), nil, nil)
	err = linkSpec().In(s.docs, c.App.ID).Delete(ctx, r.Group)
	if docs.IsNotFound(err) {
		err = errNotLinked
	}
	return api.Success(), err
}

// sync brings the issue of a group, and the group, up to date.
func (s *service) sync(ctx context.Context, c api.Caller, r groupReq) (linked, error) {
	if r.Group == "" {
		return linked{}, api.MissingParam("group")
	}
	before, err := s.get(ctx, c.App.ID, r.Group)
	if err != nil {
		return linked{}, err
	}
	l, _, err := s.refresh(ctx, c.App, r.Group)
	if err != nil {
		return linked{}, err
	}
	c.Audit("", audited(before), audited(l), nil)
	return showing(l), nil
}

type stateReq struct {
	Group string `param:"group"`
	State string `param:"state"`
}

// setState closes or reopens the issue of a group, and brings both up to date.
func (s *service) setState(ctx context.Context, c api.Caller, r stateReq) (linked, error) {
	to := state(r.State)
	if to != isOpen && to != isDoing && to != isDone {
		return linked{}, bad("Parameter \"state\" must be open, doing or done")
	}
	if r.Group == "" {
		return linked{}, api.MissingParam("group")
	}
	before, err := s.get(ctx, c.App.ID, r.Group)
	if err != nil {
		return linked{}, err
	}
	set, err := s.of(ctx, c.App)
	if err != nil {
		return linked{}, err
	}
	if set.home() != before.Home {
		return linked{}, errOtherTracker
	}
	t, err := s.open(ctx, set)
	if err != nil {
		return linked{}, err
	}
	if to == isDoing && !t.threeStates() {
		return linked{}, errTransition
	}
	i, err := t.read(ctx, before.Issue)
	if err != nil {
		return linked{}, err
	}
	if i.State != to {
		if err := t.set(ctx, before.Issue, to); err != nil {
			return linked{}, err
		}
	}
	l, _, err := s.refresh(ctx, c.App, r.Group)
	if err != nil {
		return linked{}, err
	}
	c.Audit("", audited(before), audited(l), nil)
	return showing(l), nil
}
