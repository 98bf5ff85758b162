package concurrentusers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// maxStatuses is how many alerts a request switches.
const maxStatuses = 1000

// Faults in the words of the wire, which answers some of them with 200.
var (
	errArgs    = api.Status(http.StatusOK, fault.New(fault.Invalid, "concurrent.args", "Not enough args"))
	errUsers   = api.Status(http.StatusOK, fault.New(fault.Invalid, "concurrent.users", "Invalid users value (at least 0)"))
	errDelete  = api.Status(http.StatusOK, fault.New(fault.Invalid, "concurrent.delete", "Failed to delete the alert"))
	errEmail   = fault.Newf(fault.Invalid, "concurrent.email", "Invalid e-mail address, or more than %d", maxAddresses)
	errType    = fault.New(fault.Invalid, "concurrent.type", "Invalid type: alerts are of type t or o, which cannot change")
	errStatus  = fault.New(fault.Invalid, "concurrent.args", "Invalid status")
	errGone    = fault.New(fault.NotFound, "concurrent.not_found", "Failed to save the alert")
	errTooMany = fault.New(fault.Conflict, "concurrent.too_many", "There are too many alerts, delete some")
	errRight   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// sent is an alert as a client sends it; what was not sent stays as it is.
type sent struct {
	ID        string    `json:"_id"`
	Name      *string   `json:"name"`
	Type      *string   `json:"type"`
	Enabled   *bool     `json:"enabled"`
	Def       *string   `json:"def"`
	Condition *string   `json:"condition_title"`
	Users     *float64  `json:"users"`
	Minutes   *float64  `json:"minutes"`
	Email     *[]string `json:"email"`
	Reset     bool      `json:"reset"`
}

// fill changes the fields that were sent. Whether the minutes are in bounds is checked when they change.
func (s *service) fill(a *alert, in sent, isNew bool) error {
	if isNew && (in.Name == nil || in.Type == nil || in.Enabled == nil || in.Condition == nil) {
		return errArgs
	}
	if in.Type != nil && !isNew && *in.Type != a.Type {
		return errType
	}
	set(&a.Name, in.Name)
	set(&a.Type, in.Type)
	set(&a.Enabled, in.Enabled)
	set(&a.Condition, in.Condition)
	set(&a.Email, in.Email)
	if a.Type == offline {
		a.Def, a.Users, a.Minutes = "", 0, silentMinutes
		return a.Validate()
	}
	if isNew && (in.Def == nil || in.Users == nil || in.Minutes == nil) {
		return errArgs
	}
	set(&a.Def, in.Def)
	if in.Users != nil {
		if *in.Users < 0 || *in.Users > maxUsers || *in.Users != float64(int64(*in.Users)) {
			return errUsers
		}
		a.Users = int64(*in.Users)
	}
	if in.Minutes != nil {
		least := int64(s.settings.Number(feature, alertInterval))
		if *in.Minutes < float64(least) || *in.Minutes > float64(least+moreMinutes) || *in.Minutes != float64(int64(*in.Minutes)) {
			return api.Status(http.StatusOK, fault.Newf(fault.Invalid, "concurrent.minutes", "Invalid minutes value (must be between %d and %d)", least, least+moreMinutes))
		}
		a.Minutes = int64(*in.Minutes)
	}
	return a.Validate()
}

func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

type saveReq struct {
	Alert params.Value `param:"alert"`
}

// save keeps a new alert and answers its id, or changes one and answers that.
func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (any, error) {
	var in sent
	if r.Alert.String() == "" || json.Unmarshal(r.Alert.Raw(), &in) != nil {
		return nil, errArgs
	}
	at := c.Now.UnixMilli()
	if in.ID == "" {
		a := alert{ID: model.NewID().String(), App: c.App.ID.String(), CreatedBy: c.Member.ID, DefinedAt: at}
		if err := s.fill(&a, in, true); err != nil {
			return nil, err
		}
		err := s.docs.Tx(ctx, func(tx docs.Handle) error {
			return alertSpec().In(tx, c.App.ID).CreateUpTo(ctx, a, maxAlerts, errTooMany)
		})
		if err != nil {
			return nil, err
		}
		c.Audit("online_users_alert_created", nil, shown(a), nil)
		return a.ID, nil
	}
	if !auth.Can(c.Member, c.App.ID, alertsFeature, model.Update) {
		return nil, errRight
	}
	var before alert
	after, err := alertSpec().In(s.docs, c.App.ID).Update(ctx, in.ID, func(a *alert) error {
		before = *a
		if err := s.fill(a, in, false); err != nil {
			return err
		}
		if before.Def != a.Def || before.Users != a.Users || before.Minutes != a.Minutes || before.Enabled != a.Enabled || in.Reset {
			a.restart(at)
		}
		if in.Reset {
			a.Triggered = 0
		}
		return nil
	})
	if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	c.Audit("online_users_alert_edited", shown(before), shown(after), nil)
	return shown(after), nil
}

// restart lets an alert begin from the beginning.
func (a *alert) restart(at int64) {
	a.DefinedAt, a.Since, a.Fired, a.Waiting, a.Count = at, 0, false, nil, 0
}

type removeReq struct {
	ID string `param:"alertId"`
}

// remove deletes an alert of the app.
func (s *service) remove(ctx context.Context, c api.Caller, r removeReq) (api.Result, error) {
	of := alertSpec().In(s.docs, c.App.ID)
	before, err := of.Get(ctx, r.ID)
	if err == nil {
		err = of.Delete(ctx, r.ID)
	}
	if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" {
		return api.Result{}, errDelete
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("online_users_alert_deleted", shown(before), nil, nil)
	return api.Result{Result: "Deleted an alert"}, nil
}

type statusReq struct {
	Status params.Value `param:"status"`
}

// status switches alerts of the app on and off, all or none of them. Alerts that are switched on start over; ids that are not known are left out.
func (s *service) status(ctx context.Context, c api.Caller, r statusReq) (bool, error) {
	var on map[string]bool
	d := json.NewDecoder(bytes.NewReader(r.Status.Raw()))
	if d.Decode(&on) != nil || len(on) > maxStatuses {
		return false, errStatus
	}
	before, after := map[string]bool{}, map[string]bool{}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		clear(before)
		clear(after)
		of := alertSpec().In(tx, c.App.ID)
		for id, enabled := range on {
			a, err := of.Get(ctx, id)
			if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" {
				continue
			}
			if err != nil {
				return err
			}
			before[id], after[id] = a.Enabled, enabled
			triggered := a.Triggered
			a.restart(a.DefinedAt)
			if a.Enabled = enabled; enabled {
				a.DefinedAt, triggered = c.Now.UnixMilli(), 0
			}
			a.Triggered = triggered
			if err := of.Put(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	c.Audit("online_users_alert_status", before, after, nil)
	return true, nil
}

// reset deletes the maxima of an app.
func (s *service) reset(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	before, err := s.most(ctx, c.App)
	if err != nil {
		return api.Result{}, err
	}
	if err := s.forget(ctx, c.App.ID); err != nil {
		return api.Result{}, err
	}
	c.Audit("online_users_max_reset", before, point{}, nil)
	return api.Success(), nil
}

func (s *service) forget(ctx context.Context, app model.AppID) error {
	_, err := seriesSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	s.cache.forget(app)
	return err
}

// appReset forgets the maxima of an app whose data is gone. Its alerts stay.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	return s.forget(ctx, ev.App)
}

// appDeleted forgets an app.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if err := s.forget(ctx, ev.App); err != nil {
		return err
	}
	_, err := alertSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}
