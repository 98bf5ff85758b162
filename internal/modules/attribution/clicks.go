package attribution

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/mileusna/useragent"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/docs"
)

// maxVisitors is how many distinct visitors of a day are counted; further ones count as clicks alone.
const maxVisitors = 50_000

// click is one use of a link.
type click struct {
	bot      bool
	platform string
	visitor  uint32
}

// clicks writes uses of links. Those that come while others are written are written together, so that links may be used more often than
// documents can be written. The zero clicks is ready.
type clicks struct {
	mu      sync.Mutex
	waiting map[string]*clicked
	turn    sync.Mutex
}

// clicked are uses of a link on a day that are written together.
type clicked struct {
	list []click
	done chan struct{} // closed when they are written
	err  error
}

// add counts a click and returns once it is kept.
func (k *clicks) add(ctx context.Context, key string, one click, write func(context.Context, []click) error) error {
	k.mu.Lock()
	b := k.waiting[key]
	first := b == nil
	if first {
		if k.waiting == nil {
			k.waiting = map[string]*clicked{}
		}
		b = &clicked{done: make(chan struct{})}
		k.waiting[key] = b
	}
	b.list = append(b.list, one)
	k.mu.Unlock()
	if !first {
		select {
		case <-b.done:
			return b.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	k.turn.Lock()
	defer k.turn.Unlock()
	k.mu.Lock()
	delete(k.waiting, key)
	k.mu.Unlock()
	b.err = write(context.WithoutCancel(ctx), b.list) // others wait for it
	close(b.done)
	return b.err
}

// dayKey is the key of the document of a campaign's day.
func dayKey(id string, d period.Day) string { return id + " " + d.ID(period.Dash) }

// count adds clicks to a day, and their visitors to those of the day.
func (d *day) count(v *visitors, list []click) error {
	seen := roaring.New()
	if len(v.Seen) > 0 {
		if err := seen.UnmarshalBinary(v.Seen); err != nil {
			return err
		}
	}
	for _, one := range list {
		if one.bot {
			d.Bots++
			continue
		}
		d.Clicks++
		if d.By == nil {
			d.By = map[string]int64{}
		}
		d.By[one.platform]++
		if seen.GetCardinality() < maxVisitors && seen.CheckedAdd(one.visitor) {
			d.Unique++
		}
	}
	seen.RunOptimize()
	text, err := seen.ToBytes()
	v.Seen = text
	return err
}

// write adds clicks to a campaign's day.
func (s *service) write(ctx context.Context, app model.AppID, id string, of period.Day, list []click) error {
	key := dayKey(id, of)
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := visitorsOf().In(tx, app)
		v, err := col.Get(ctx, key)
		if docs.IsNotFound(err) {
			v, err = visitors{ID: key, Camp: id, Day: int64(of)}, nil
		}
		if err != nil {
			return err
		}
		if err := changeDay(ctx, tx, app, id, of, func(d *day) error { return d.count(&v, list) }); err != nil {
			return err
		}
		return col.Put(ctx, v)
	})
}

// forgetVisitors deletes the visitors of days that are over everywhere.
func (s *service) forgetVisitors(ctx context.Context) error {
	over := docs.Query{Where: []docs.Cond{docs.Lt(".day", s.now().Unix()/86400-1)}}
	return eachApp(ctx, visitorsOf().AcrossApps(s.docs, everyApp).List(ctx, over), func(app model.AppID) error {
		_, err := visitorsOf().In(s.docs, app).DeleteWhere(ctx, over)
		return err
	})
}

// changeDay changes the document of a campaign's day, and makes it where there is none.
func changeDay(ctx context.Context, tx docs.Handle, app model.AppID, id string, of period.Day, fn func(*day) error) error {
	key := dayKey(id, of)
	col := days().In(tx, app)
	d, err := col.Get(ctx, key)
	if docs.IsNotFound(err) {
		d, err = day{ID: key, Camp: id, Day: int64(of)}, nil
	}
	if err == nil {
		err = fn(&d)
	}
	if err != nil {
		return err
	}
	return col.Put(ctx, d)
}

// visitor is a keyed hash of who uses a link: an address, of version 6 its network, and a browser. Nothing leads back from it, and
// it is another one every day.
func visitor(c Campaign, d period.Day, ip netip.Addr, agent string) uint32 {
	if ip.Is6() && !ip.Is4In6() {
		if p, err := ip.Prefix(64); err == nil {
			ip = p.Addr()
		}
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Salt, d.ID(period.Dash), ip.Unmap().String(), agent}, "\x00")))
	return binary.BigEndian.Uint32(sum[:])
}

// isBot reports whether a request comes of no person who follows the link: a program, a preview, or a browser that loads ahead.
func isBot(r *http.Request, ua useragent.UserAgent) bool {
	purpose := strings.ToLower(r.Header.Get("Sec-Purpose") + r.Header.Get("Purpose") + r.Header.Get("X-Purpose"))
	text := strings.ToLower(r.UserAgent())
	switch {
	case r.Method != http.MethodGet || text == "" || ua.Bot || strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "preview"):
		return true
	case !ua.Mobile && !ua.Tablet && !ua.Desktop:
		return true
	}
	for _, word := range [...]string{"bot", "crawl", "spider", "preview", "facebookexternalhit", "whatsapp", "slurp", "headless", "curl/", "wget/", "python", "go-http-client", "okhttp", "monitor", "scan"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// platformOf are the names under which a browser's platform is found among links, the closest first.
func platformOf(ua useragent.UserAgent) []string {
	switch {
	case ua.IsAndroid():
		return []string{"android", "mobile"}
	case ua.Device == "iPad":
		return []string{"ipad", "ios", "mobile"}
	case ua.IsIOS():
		return []string{"ios", "mobile"}
	case ua.IsWindows():
		return []string{"windows", "desktop"}
	case ua.IsMacOS():
		return []string{"macos", "desktop"}
	case ua.IsLinux() || ua.IsChromeOS():
		return []string{"linux", "desktop"}
	case ua.Mobile || ua.Tablet:
		return []string{"mobile"}
	}
	return []string{"desktop"}
}

// target is where a campaign leads: one of its own addresses, with what tells the campaign to SDKs. Nothing of the request but UTM tags
// goes into it, and these into its query only.
func target(c Campaign, names []string, tags url.Values, visit string) string {
	link := c.Link
	for _, name := range names {
		if own := c.Links[name]; own != "" {
			link = own
			break
		}
	}
	if link == "" {
		return ""
	}
	u, err := url.Parse(link)
	if err != nil || !linkOK(link) {
		return ""
	}
	values := u.Query() // what cannot be read of it stays, as the query is only added to
	add := func(name, value string) {
		if value == "" || values.Get(name) != "" {
			return
		}
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += name + "=" + url.QueryEscape(value)
	}
	switch {
	case u.Scheme == "market" || u.Hostname() == "play.google.com":
		add("referrer", url.Values{"countly_cid": {c.ID}, "countly_cuid": {visit}}.Encode())
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "apps.apple.com" || u.Hostname() == "itunes.apple.com":
		return link
	default:
		add("cly_id", c.ID)
		add("cly_uid", visit)
		for _, tag := range [...]string{"source", "medium", "campaign", "content", "term"} {
			add("utm_"+tag, clean(tags.Get("utm_"+tag)))
		}
	}
	return u.String()
}

// follow counts a click and leads on.
func (s *service) follow(w http.ResponseWriter, c api.Caller) error {
	c.NoAudit()
	r := c.Request()
	ctx := r.Context()
	to, err := routes().Global(s.docs).Get(ctx, c.PathValues["id"])
	if err != nil {
		if unknownID(err) {
			err = errNoLink
		}
		return err
	}
	d, err := spec().In(s.docs, to.App).Get(ctx, to.ID)
	app := s.apps.ByID(to.App)
	if docs.IsNotFound(err) || err == nil && app == nil {
		return errNoLink
	}
	if err != nil {
		return err
	}
	ua := useragent.Parse(r.UserAgent())
	names := platformOf(ua)
	link := target(d, names, r.URL.Query(), model.NewID().String())
	if link == "" {
		return errNoLink
	}
	cal, _ := s.zones.Get(app.Timezone)
	today := cal.DayBucket(s.now().UnixMilli())
	one := click{bot: isBot(r, ua), platform: names[0], visitor: visitor(d, today, c.IP, r.UserAgent())}
	err = s.clicks.add(ctx, app.ID.String()+dayKey(d.ID, today), one, func(ctx context.Context, list []click) error {
		return s.write(ctx, app.ID, d.ID, today, list)
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a click is not counted", "campaign", d.ID, "err", err)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Location", link)
	w.WriteHeader(http.StatusFound)
	return nil
}
