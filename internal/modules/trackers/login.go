package trackers

import (
	"context"
	"crypto/subtle"
	"net/url"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/outbound"
	appsettings "quipu/internal/settings"
	"quipu/internal/store/docs"
)

// The settings of the server for Jira, as the wire names them. The private key is none of them: it is made here and never leaves.
const (
	settingAddress  = "api_url"
	settingConsumer = "api_consumer_key"
	settingCallback = "callback_url"
)

// login is the server's standing with Jira. Times are in seconds.
type login struct {
	ID      string `json:"_id"`
	Private string `json:"private,omitempty"` // key, sealed
	Public  string `json:"public,omitempty"`
	// Access is the token of the login, sealed, for Address and Consumer.
	Access   string `json:"access,omitempty"`
	Address  string `json:"address,omitempty"`
	Consumer string `json:"consumer,omitempty"`
	Since    int64  `json:"since,omitempty"`
	// Request is the token of a login that is under way, sealed, for Site and Client.
	Request string `json:"request,omitempty"`
	Begun   int64  `json:"begun,omitempty"`
	Site    string `json:"site,omitempty"`
	Client  string `json:"client,omitempty"`
}

const loginID = "jira"

// loginTakes is how long a login may be under way, in seconds.
const loginTakes = 10 * 60

// Key returns the only key.
func (l login) Key() string { return l.ID }

// Validate accepts: the service checks what it writes.
func (login) Validate() error { return nil }

func loginSpec() docs.Spec[login] { return docs.Spec[login]{Name: "trackers.jira", Version: 1} }

func (s *service) login(ctx context.Context) (login, error) {
	l, err := loginSpec().Global(s.docs).Get(ctx, loginID)
	if docs.IsNotFound(err) {
		return login{ID: loginID}, nil
	}
	return l, err
}

// changeLogin changes the standing with Jira.
func (s *service) changeLogin(ctx context.Context, fn func(*login)) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := loginSpec().Global(tx)
		l, err := col.Get(ctx, loginID)
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
		l.ID = loginID
		fn(&l)
		return col.Put(ctx, l)
	})
}

// jiraAddress is the address of the server's Jira, "" where none that is an address is set.
func (s *service) jiraAddress() string {
	address, err := outbound.Address(s.settings.Text(wireSettings, settingAddress))
	if err != nil {
		return ""
	}
	return address
}

func (s *service) consumer() string {
	return strings.TrimSpace(s.settings.Text(wireSettings, settingConsumer))
}

// loggedInTo is the address of the Jira that the server is logged in to, "" for none.
func (s *service) loggedInTo(ctx context.Context) string {
	l, err := s.login(ctx)
	if err != nil || !s.standing(l) {
		return ""
	}
	return l.Address
}

func (s *service) standing(l login) bool {
	return l.Access != "" && l.Address == s.jiraAddress() && l.Consumer == s.consumer()
}

// accessToken returns what signs requests by the login of the server.
func (s *service) accessToken(ctx context.Context) (*oauth, error) {
	l, err := s.login(ctx)
	if err != nil {
		return nil, err
	}
	if !s.standing(l) {
		return nil, errNoLogin
	}
	token, err := s.unsealed(sealedAccess, loginID, l.Access)
	if err != nil {
		return nil, err
	}
	return s.signer(l, token)
}

func (s *service) signer(l login, token string) (*oauth, error) {
	private, err := s.unsealed(sealedKey, loginID, l.Private)
	if err != nil {
		return nil, err
	}
	key, err := readKey(private)
	if err != nil {
		return nil, err
	}
	return &oauth{consumer: s.consumer(), key: key, token: token, now: s.now}, nil
}

// keyed returns the standing with Jira, with a key: it is made at first use, and when the one there cannot be opened any more.
func (s *service) keyed(ctx context.Context) (login, error) {
	s.keying.Lock()
	defer s.keying.Unlock()
	l, err := s.login(ctx)
	if err != nil {
		return l, err
	}
	if l.Private != "" {
		if _, err := s.unsealed(sealedKey, loginID, l.Private); err == nil {
			return l, nil
		}
	}
	private, public, err := newKey()
	if err != nil {
		return l, err
	}
	l = login{ID: loginID, Private: s.keys.Seal(sealedKey, loginID, private), Public: public}
	return l, loginSpec().Global(s.docs).Put(ctx, l)
}

// jiraView is the standing with Jira as administrators see it.
type jiraView struct {
	Address   string `json:"address"`
	Consumer  string `json:"consumer_key"`
	Callback  string `json:"callback"`   // base address of this server
	PublicKey string `json:"public_key"` // "" = none was made yet
	LoggedIn  bool   `json:"logged_in"`
	Since     int64  `json:"since"` // s, 0 = not logged in
}

func (s *service) jiraView(l login) jiraView {
	out := jiraView{Address: s.jiraAddress(), Consumer: s.consumer(), Callback: s.base(), PublicKey: l.Public, LoggedIn: s.standing(l)}
	if out.LoggedIn {
		out.Since = l.Since
	}
	return out
}

func (s *service) readJira(ctx context.Context, _ api.Caller, _ api.None) (jiraView, error) {
	l, err := s.login(ctx)
	return s.jiraView(l), err
}

type jiraReq struct {
	Address  string `param:"address"`
	Consumer string `param:"consumer_key"`
	Callback string `param:"callback"`
}

// saveJira sets where the server's Jira is and by which name it knows the server, and makes the key if there is none.
func (s *service) saveJira(ctx context.Context, c api.Caller, r jiraReq) (jiraView, error) {
	wrong := map[string]string{}
	address, err := outbound.Address(r.Address)
	if err != nil {
		wrong["address"] = err.Error()
	}
	callback, err := outbound.Address(r.Callback)
	if err != nil {
		wrong["callback"] = err.Error()
	}
	consumer := strings.TrimSpace(r.Consumer)
	if consumer == "" || len(consumer) > maxField || strings.ContainsFunc(consumer, func(r rune) bool { return r <= ' ' || r > '~' }) {
		wrong["consumer_key"] = "must be a text without blanks"
	}
	if len(wrong) > 0 {
		return jiraView{}, badSettings(wrong)
	}
	l, err := s.keyed(ctx)
	if err != nil {
		return jiraView{}, err
	}
	before := s.jiraView(l)
	if _, _, err := s.settings.Set(ctx, appsettings.Values{wireSettings: {settingAddress: address, settingConsumer: consumer, settingCallback: callback}}); err != nil {
		return jiraView{}, err
	}
	after := s.jiraView(l)
	c.Audit("", before, after, nil)
	return after, nil
}

// base is the address of this server as browsers see it, "" where it is not set.
func (s *service) base() string {
	address, err := outbound.Address(s.settings.Text(wireSettings, settingCallback))
	if err != nil {
		return ""
	}
	return address
}

// begin asks Jira for a login, and returns the address at which a person grants it. pretty leads to a page afterwards.
func (s *service) begin(ctx context.Context, pretty bool) (string, error) {
	site, base := s.jiraAddress(), s.base()
	if site == "" || base == "" || s.consumer() == "" {
		return "", errNotSetUp
	}
	l, err := s.keyed(ctx)
	if err != nil {
		return "", err
	}
	o, err := s.signer(l, "")
	if err != nil {
		return "", err
	}
	back := base + "/i/crashes-jira?method=callback"
	if pretty {
		back += "&pretty_callback=yes"
	}
	token, err := o.step(ctx, s.http, site+"/plugins/servlet/oauth/request-token", map[string]string{"oauth_callback": back})
	if err != nil {
		return "", err
	}
	err = s.changeLogin(ctx, func(l *login) {
		l.Request, l.Begun, l.Site, l.Client = s.keys.Seal(sealedRequest, loginID, token), s.now().Unix(), site, o.consumer
	})
	return site + "/plugins/servlet/oauth/authorize?oauth_token=" + url.QueryEscape(token), err
}

// complete takes what Jira sends a person back with.
func (s *service) complete(ctx context.Context, token, verifier string) error {
	l, err := s.login(ctx)
	if err != nil {
		return err
	}
	if l.Request == "" || l.Site != s.jiraAddress() || l.Client != s.consumer() {
		return errExpired
	}
	pending, err := s.unsealed(sealedRequest, loginID, l.Request)
	if err != nil {
		return err
	}
	// The token is known to Jira and to the person who began alone, so nobody else gets further than this.
	if subtle.ConstantTimeCompare([]byte(token), []byte(pending)) != 1 {
		return errExpired
	}
	if s.now().Unix()-l.Begun > loginTakes {
		return errLate
	}
	o, err := s.signer(l, pending)
	if err != nil {
		return err
	}
	access, err := o.step(ctx, s.http, l.Site+"/plugins/servlet/oauth/access-token", map[string]string{"oauth_verifier": verifier})
	if err != nil {
		return err
	}
	return s.changeLogin(ctx, func(n *login) {
		n.Access, n.Address, n.Consumer, n.Since = s.keys.Seal(sealedAccess, loginID, access), l.Site, l.Client, s.now().Unix()
		n.Request, n.Begun, n.Site, n.Client = "", 0, "", ""
	})
}

// errLate is errExpired of a login that was under way.
var errLate = fault.New(fault.Invalid, "trackers.login_expired", "The login at Jira took more than 10 minutes, start again")

type place struct {
	URL string `json:"url"`
}

func (s *service) loginJira(ctx context.Context, c api.Caller, _ api.None) (place, error) {
	to, err := s.begin(ctx, true)
	c.Audit("", nil, map[string]any{"address": s.jiraAddress(), "consumer_key": s.consumer()}, nil)
	return place{to}, err
}

func (s *service) logoutJira(ctx context.Context, c api.Caller, _ api.None) (jiraView, error) {
	l, err := s.login(ctx)
	if err != nil {
		return jiraView{}, err
	}
	before := s.jiraView(l)
	err = s.changeLogin(ctx, func(n *login) { *n = login{ID: loginID, Private: n.Private, Public: n.Public}; l = *n })
	after := s.jiraView(l)
	c.Audit("", before, after, nil)
	return after, err
}
