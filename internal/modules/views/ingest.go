package views

import (
	"slices"
	"strings"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/query/counting"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// viewKey is the event key of visits, actionKey that of clicks and scrolling.
const (
	viewKey   = "[CLY]_view"
	actionKey = "[CLY]_action"
)

// kind is that of views among the subjects of apps. Their names are those of views, their aliases paths, their tags domains.
const kind schema.Kind = 1

// countedSegment reports whether views are counted by the values of a segment.
func countedSegment(name string) bool {
	switch name {
	case "name", "visit", "start", "exit", "bounce", "view", "dur", "_idv", "referrer":
		return false
	}
	switch utm, ok := strings.CutPrefix(name, "utm_"); {
	case !ok:
		return true
	default:
		return !slices.Contains([]string{"source", "medium", "campaign", "term", "content"}, utm)
	}
}

// ingestion is the module's part in ingestion: views are the subjects, visits and what users do on them their items.
func ingestion() *pipeline.Feature {
	return &pipeline.Feature{
		Name:     "views",
		Subjects: kind,
		Events:   []string{viewKey, actionKey},
		Items: pipeline.Items{
			Under:  cells.Under{Own: rollup.Views, BySegment: rollup.ViewSegments},
			Arrive: arrive,
			// The name of a view is a segment as well as the row's name; its duration is a column only.
			Duration: func(key, segment string) bool { return key == viewKey && segment == "dur" },
			// Clicks and scrolling are read from rows alone.
			Counts: func(key, segment string) bool { return key == viewKey && countedSegment(segment) },
			Value:  valueOf,
			Adds: map[string]*counting.Adds{
				viewKey: {Visit: "visit", Start: "start", Seconds: true},
				actionKey: {
					Only: counting.Value{Segment: "type", Text: "scroll"}, Start: "start",
					Scrolled: counting.Share{Part: "y", Whole: "height", Most: maxScrolled},
				},
			},
			Subject: subject,
		},
		Metrics: []pipeline.Metric{
			{Number: rollup.Views, Name: "views", Subject: "view"},
			{Number: rollup.ViewSegments, Name: "views by segment", Subject: "view", BySegment: true},
			{Number: rollup.ViewEnds, Name: "ends of views", Subject: "view"},
		},
		Sessions: sessions(),
		Merge:    merge,
		Erase:    erase,
	}
}

// arrive finds the view of an item, and takes down for the user and the session what was visited.
func arrive(it *pipeline.Item, e *pipeline.Event) {
	if e.Event.Key == actionKey {
		name, url, _ := placeOf(e.Event)
		if v, ok := it.Subjects(kind).Find(name, url); ok && name+url != "" {
			e.Subject, e.SubjectName = v.Num, v.Name
		}
		return
	}
	rename(e.Event)
	name, url, domain := placeOf(e.Event)
	if name == "" {
		return
	}
	num, ok := it.Subjects(kind).See(name, url, domain)
	if !ok {
		return
	}
	e.Subject, e.SubjectName = num, name
	if counting.IsSet(textOf(e.Event, "visit")) {
		visit(it.Profile, num, name, e.TS)
	}
}

// subject returns the view of a stored row.
func subject(s pipeline.Subjects, row *events.Row, recorded pipeline.Texts) (uint32, bool) {
	if row.Key == actionKey {
		v, ok := s.Find(row.Name, "")
		return v.Num, ok
	}
	return s.See(row.Name, cutName(recorded.Text("view")), request.Cut(recorded.Text("domain"), maxValue))
}

// erase forgets names, paths and domains of views that nobody but one person visited.
func erase(s *pipeline.Erasing, own []pipeline.OwnValues) {
	var names, urls, domains []string
	for _, v := range own {
		if v.Event != viewKey {
			continue
		}
		for _, value := range v.Values {
			switch v.Segment {
			case "name":
				names = append(names, cutName(value))
			case "view":
				urls = append(urls, cutName(value))
			case "domain":
				domains = append(domains, request.Cut(value, maxValue))
			}
		}
	}
	s.Delete(names)
	s.ForgetTexts(urls, domains)
}

// maxValue is how much of a segment's value tells views apart, in bytes: name and value together are a dimension.
const maxValue = rollup.MaxText - request.MaxSegmentName - 1

// maxScrolled is how far a view can be scrolled, in per cent of the height that the client gave.
const maxScrolled = 10_000

// rename gives the segments of a view the names they are known by: without
// dots, and platform for what some clients call segment. A name that is there already stays alone.
func rename(e *request.Event) {
	for i := 0; i < len(e.Segmentation); {
		name := e.Segmentation[i].Name
		switch {
		case name == "segment":
			name = "platform"
		case strings.IndexByte(name, '.') >= 0:
			name = strings.ReplaceAll(name, ".", "")
		default:
			i++
			continue
		}
		if name == "" || slices.ContainsFunc(e.Segmentation, func(g request.Segment) bool { return g.Name == name }) {
			e.Segmentation = slices.Delete(e.Segmentation, i, i+1)
			continue
		}
		e.Segmentation[i].Name = name
		i++
	}
}

// placeOf returns the name, the path and the domain that an item gives of its view.
func placeOf(e *request.Event) (name, url, domain string) {
	for i := range e.Segmentation {
		switch g := &e.Segmentation[i]; g.Name {
		case "name":
			name = cutName(g.Text)
		case "view":
			url = cutName(g.Text)
		case "domain":
			domain = request.Cut(g.Text, maxValue)
		}
	}
	return name, url, domain
}

// cutName is the form in which names and paths of views are kept.
func cutName(text string) string { return request.Cut(text, rollup.MaxText) }

// textOf returns the text of a segment; "" when there is none.
func textOf(e *request.Event, name string) string {
	for i := range e.Segmentation {
		if g := &e.Segmentation[i]; g.Name == name {
			return g.Text
		}
	}
	return ""
}

// valueOf is the form in which a value of a segment stands in cells.
func valueOf(key, text string) string {
	if key == viewKey {
		return request.Cut(cells.SegmentValue(text), maxValue)
	}
	return cells.SegmentValue(text)
}
