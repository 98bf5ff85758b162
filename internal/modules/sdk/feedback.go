package sdk

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/params"
)

// feedback declares the addresses of ratings and surveys. There are no widgets yet, so each that is asked for
// is not found; what users answer is kept.
func (s *service) feedback(g *api.Registrar) {
	const page = "a page for people"
	api.Handle(g, "/o/feedback/widget", api.Public().OfDevices(), func(_ context.Context, _ api.Caller, r widgetReq) (any, error) {
		return r.none(`Missing parameter "widget_id"`)
	})
	api.Handle(g, "/o/feedback/multiple-widgets-by-id", api.Public().OfDevices(), widgets)
	for _, kind := range []string{"nps", "survey", "rating"} {
		api.Handle(g, "/o/surveys/"+kind+"/widget", api.Public().OfDevices(), func(_ context.Context, _ api.Caller, r surveyReq) (any, error) {
			if r.WidgetIDs != "" {
				r.WidgetID = r.WidgetIDs
			}
			return widgetReq{r.WidgetID}.none(`Missing parameter "widget_id" or "widget_ids"`)
		})
		api.HandleRaw(g, "/feedback/"+kind, api.Public().OfDevices(), page, noWidget)
	}
	api.HandleRaw(g, "/feedback", api.Public().OfDevices(), page, noWidget)
	api.Handle(g, "/i/feedback/input", api.Public().OfDevices().Writing(), s.rating)
	api.Handle(g, "/i/feedback/inputs", api.Public().OfDevices().Writing(), s.surveys)
}

var errNoWidget = fault.New(fault.NotFound, "feedback.no_widget", "Widget not found.")

type widgetReq struct {
	WidgetID string `param:"widget_id"`
}

type surveyReq struct {
	WidgetID  string `param:"widget_id"`
	WidgetIDs string `param:"widget_ids"`
}

// none tells that a widget does not exist, or with missing that none was named.
func (r widgetReq) none(missing string) (any, error) {
	if r.WidgetID == "" {
		return nil, fault.New(fault.Invalid, "feedback.missing_widget", missing)
	}
	return nil, errNoWidget
}

type widgetsReq struct {
	Widgets params.Value `param:"widgets"`
}

func widgets(_ context.Context, _ api.Caller, r widgetsReq) ([]any, error) {
	var ids []any
	if err := json.Unmarshal(r.Widgets.Raw(), &ids); err != nil {
		f := fault.Wrap(err, fault.Invalid, "feedback.bad_widgets", "You should provide widget ids array.")
		return nil, &api.StatusError{Status: http.StatusInternalServerError, Result: f.Msg, Err: f}
	}
	return []any{}, nil
}

type inputReq struct {
	queueReq
	Timestamp  params.Value `param:"timestamp"`
	Hour       params.Value `param:"hour"`
	DayOfWeek  params.Value `param:"dow"`
	Zone       params.Value `param:"tz"`
	SDK        params.Value `param:"sdk_name"`
	SDKVersion params.Value `param:"sdk_version"`
	AppVersion params.Value `param:"av"`
	Kind       params.Value `param:"t"`
	AppKey     params.Value `param:"app_key"`
	DeviceID   params.Value `param:"device_id"`
	Events     params.Value `param:"events"`
}

// rating takes what a user answers to a rating widget.
func (s *service) rating(ctx context.Context, c api.Caller, r inputReq) (any, error) {
	return s.input(ctx, c, r, func(events []event) bool { return len(events) == 1 && events[0].Key == ratingKey })
}

// surveys takes what a user answers to surveys.
func (s *service) surveys(ctx context.Context, c api.Caller, r inputReq) (any, error) {
	return s.input(ctx, c, r, func(events []event) bool {
		other := func(e event) bool {
			return e.Key != npsKey && e.Key != surveyKey && e.Key != ratingKey
		}
		return len(events) > 0 && !slices.ContainsFunc(events, other)
	})
}

// event is what is checked of an event; all of it is ingestion's.
type event struct {
	Key string `json:"key"`
}

var errInput = fault.New(fault.Invalid, "feedback.invalid_event", "invalid_event_request")

// input keeps events. The pages of widgets have no salt, so nothing is signed; in
// turn only what belongs to an answer is taken.
func (s *service) input(ctx context.Context, c api.Caller, r inputReq, valid func([]event) bool) (any, error) {
	cl, refusal, err := s.client(ctx, c, r.AppKey, r.DeviceID, false)
	if refusal != nil || err != nil {
		return refusal, err
	}
	var events []event
	if c.Params.Decode("events", &events) != nil || !valid(events) {
		return cl.answer(errInput)
	}
	return s.keep(c.Request(), cl.app, paramsOf(c.Params, []string{
		"device_id", "events", "timestamp", "hour", "dow", "tz", "sdk_name", "sdk_version", "av", "t", "rr",
	}))
}
