package cohorts

import (
	"context"
	"fmt"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

func errCode(err error) string {
	if err == nil {
		return ""
	}
	return fault.CodeOf(err)
}

type idReq struct {
	ID string `param:"cohort_id"`
}

// recalculate has a cohort calculated in the background.
func (s *service) recalculate(ctx context.Context, c api.Caller, r idReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errArgs
	}
	d, err := s.found(ctx, c, r.ID, errGone)
	if err != nil {
		return api.Result{}, err
	}
	if d.Type == manual {
		err = s.settle(ctx, c.App, d)
	} else {
		s.live.app(c.App.ID).startOver(d.ID, false)
		err = s.submit(ctx, c, d)
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("cohort_recalculated", nil, map[string]string{"_id": d.ID}, nil)
	return api.Result{Result: "Cohort update started"}, nil
}

// resetAll has all cohorts of an app calculated in the background.
func (s *service) resetAll(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	list, err := spec().In(s.docs, c.App.ID).All(ctx, docs.Query{})
	if err != nil {
		return api.Result{}, err
	}
	for _, d := range list {
		if d.Type == auto {
			s.live.app(c.App.ID).startOver(d.ID, false)
		}
		if err := s.submit(ctx, c, d); err != nil {
			return api.Result{}, err
		}
	}
	c.Audit("cohorts_reset", nil, map[string]int{"cohorts": len(list)}, nil)
	return api.Success(), nil
}

// cleanUp removes what is kept of cohorts that are no more.
func (s *service) cleanUp(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		known := map[string]bool{}
		for d, err := range spec().In(tx, c.App.ID).List(ctx, docs.Query{}) {
			if err != nil {
				return err
			}
			known[d.ID] = true
		}
		var gone []string
		for m, err := range membersSpec().In(tx, c.App.ID).List(ctx, docs.Query{}) {
			if err != nil {
				return err
			}
			if !known[m.ID] {
				gone = append(gone, m.ID)
			}
		}
		for h, err := range historySpec().In(tx, c.App.ID).List(ctx, docs.Query{}) {
			if err != nil {
				return err
			}
			if !known[h.Cohort] {
				gone = append(gone, h.Cohort)
			}
		}
		for _, id := range gone {
			if err := forget(ctx, tx, c.App.ID, id); err != nil {
				return err
			}
		}
		return nil
	})
	c.Audit("cohorts_cleaned_up", nil, map[string]string{"app_id": c.App.ID.String()}, nil)
	return api.Result{Result: fmt.Sprintf("Started rechecking %d apps", 1)}, err
}

// fixUsers lets the manual cohorts of an app follow merged and deleted users at once.
func (s *service) fixUsers(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	list, err := spec().In(s.docs, c.App.ID).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("type", manual)}})
	if err != nil {
		return api.Result{}, err
	}
	for _, d := range list {
		if err := s.settle(ctx, c.App, d); err != nil {
			return api.Result{}, err
		}
	}
	c.Audit("cohorts_users_fixed", nil, map[string]string{"app_id": c.App.ID.String()}, nil)
	return api.Result{Result: "Started fixing u_id1 apps"}, nil
}

// eachUse lists which events cohorts name.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for d, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		u := kernel.EventUse{ID: d.ID, Name: d.Name, Visible: d.visible}
		for _, st := range d.Steps {
			u.Events = append(u.Events, st.Event)
		}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}
