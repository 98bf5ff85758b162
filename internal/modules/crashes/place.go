package crashes

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// The subjects of an app are signatures of reports and fingerprints that rules make of them; both are hashes and share their names. Each
// belongs to a group, whose id is a signature: its own, unless its note says otherwise. The note of a signature that is the id of a group also
// says whether the group is resolved:
//
//	"m" id unit state    belongs to the group id ("m" nowhere unit state: to none)
//	state                has a group of its own
//
// state is "" or one of those below with a version. Rows keep signatures, so groups can be changed at any time without a row being written.
const (
	noteMoved    = "m"
	noteResolved = "r" // resolved in the version
	noteRenewed  = "n" // came back since it was resolved in the version

	nowhere   = "-"
	rulesName = "rules"
)

// readNote splits the note of a subject with a name.
func readNote(name, note string) (group, state string) {
	moved, ok := strings.CutPrefix(note, noteMoved)
	if !ok {
		return name, note
	}
	group, state, _ = strings.Cut(moved, unit)
	return group, state
}

// variantsIn returns the signatures that belong to groups, of those groups that are not just the signature of their id. Fingerprints are among
// them; no row has one.
func (s *service) variantsIn(ctx context.Context, app model.AppID, groups []string) (map[string][]string, error) {
	subjects, err := s.books.schema.Subjects(ctx, app, kind)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for i := range subjects {
		if group := groupIn(subjects[i]); slices.Contains(groups, group) {
			out[group] = append(out[group], subjects[i].Name)
		}
	}
	return out, nil
}

// groupIn returns the group that a subject belongs to.
func groupIn(s schema.Subject) string {
	group, _ := readNote(s.Name, s.Note)
	return group
}

// stateOf returns the state of a group.
func stateOf(s pipeline.Subjects, group string) string {
	v, ok := s.Find(group, "")
	if !ok {
		return ""
	}
	_, state := readNote(v.Name, v.Note)
	return state
}

// setState changes the state of a group.
func setState(s pipeline.Subjects, group, state string) {
	if v, ok := s.Find(group, ""); ok {
		s.Note(group, noteOf(group, groupIn(v), state))
	}
}

// noteOf is the note of a subject that belongs to a group.
func noteOf(name, group, state string) string {
	if name == group {
		return state
	}
	return noteMoved + group + unit + state
}

// move makes a signature or a fingerprint belong to a group.
func move(s pipeline.Subjects, name, group string) {
	if _, ok := s.See(name, "", ""); !ok {
		return
	}
	v, _ := s.Find(name, "")
	_, state := readNote(name, v.Note)
	s.Note(name, noteOf(name, group, state))
}

// placed is where a report belongs.
type placed struct {
	number uint32 // of its signature
	group  string
	isNew  bool // nothing of the group came before
}

// settle finds the group of a report, and makes one where there is none; false when the app has its maximum of signatures. fingerprint is what
// rules make of a report whose signature comes for the first time.
func settle(s pipeline.Subjects, signature string, fingerprint func() string) (placed, bool) {
	group := func(name string) (string, bool) {
		v, ok := s.Find(name, "")
		if !ok {
			return "", false
		}
		id := groupIn(v)
		if id == nowhere {
			return "", false
		}
		if id != name {
			_, ok = s.Find(id, "") // the group may have been deleted
		}
		return id, ok
	}
	id, known := group(signature)
	if known {
		n, ok := s.See(signature, "", "")
		return placed{number: n, group: id}, ok
	}
	print := fingerprint()
	if print != signature {
		id, known = group(print)
	}
	if !known {
		id = signature
	}
	n, ok := s.See(signature, "", "")
	if !ok {
		return placed{}, false
	}
	move(s, signature, id)
	if print != signature && !known {
		move(s, print, id)
	}
	return placed{number: n, group: id, isNew: !known}, true
}
