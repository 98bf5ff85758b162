package retention

import (
	"context"
	"strconv"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/params"
	"quipu/internal/query"
)

type peopleReq struct {
	reportReq
	Cohort  params.Value `param:"cohort"`
	Bracket params.Value `param:"bracket"`
}

// people are the users behind a cell of the report, or the accounts.
type people struct {
	Users    int      `json:"users"`
	UIDs     []string `json:"uids"`
	Accounts []string `json:"accounts,omitempty"` // with count_by
}

// people answers with the numbers of the users of a cohort, or of those of them who count in a bracket. Only members who may read users see whose numbers they are.
func (s *service) people(ctx context.Context, c api.Caller, r peopleReq) (people, error) {
	q, _, err := s.question(ctx, c, r.reportReq)
	if err != nil {
		return people{}, err
	}
	cohort, err := place(r.Cohort, "cohort", q.Cohorts)
	if err != nil {
		return people{}, err
	}
	if !auth.MayLookAtPeople(c.Member, c.App.ID) {
		return people{}, errUsers
	}
	bracket := -1
	if r.Bracket.String() != "" {
		if bracket, err = place(r.Bracket, "bracket", len(q.Brackets)); err != nil {
			return people{}, err
		}
	}
	if q.CountBy != query.CountUsers {
		names, err := s.reads.Accounts(ctx, c.App.ID, q, cohort, bracket)
		return people{Users: len(names), UIDs: []string{}, Accounts: names}, err
	}
	uids, err := s.reads.People(ctx, c.App.ID, q, cohort, bracket)
	out := people{Users: len(uids), UIDs: make([]string, len(uids))}
	for i, uid := range uids {
		out.UIDs[i] = strconv.FormatUint(uint64(uid), 10)
	}
	return out, err
}

// place reads a place among n, from 0 on.
func place(v params.Value, name string, n int) (int, error) {
	at, err := strconv.Atoi(v.String())
	if err != nil || at < 0 || at >= n {
		return 0, bad(name)
	}
	return at, nil
}
