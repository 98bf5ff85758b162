package sdk

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
)

// calls declares the addresses whose parameter method says what is asked.
func (s *service) calls(g *api.Registrar) {
	const why = "some of its errors are texts without a result"
	api.Handle(g, "/o/sdk", api.Public().OfDevices(), s.call)
	api.Handle(g, "/i/sdk", api.Public().OfDevices().Writing(), s.call)
	api.HandleRawOf(g, "/o/sdk/content", api.Public().OfDevices(), why, s.content)
	for _, prefix := range []string{"/o/sdk", "/i/sdk", "/i/feedback"} {
		api.HandleUnknown(g, prefix, s.unknownPath)
	}
}

type callReq struct {
	queueReq
	AppKey   params.Value `param:"app_key"`
	DeviceID params.Value `param:"device_id"`
	Method   string       `param:"method"`
	Keys     params.Value `param:"keys"`
	Key      string       `param:"key"`
}

// client is who makes a call.
type client struct {
	app    *model.App
	queued bool // the call comes from an SDK's queue
}

var (
	errMissing = fault.New(fault.Invalid, "sdk.missing", `Missing parameter "app_key" or "device_id"`)
	errApp     = fault.New(fault.Invalid, "sdk.unknown_app", "App does not exist")
	errMethod  = fault.New(fault.Invalid, "request.invalid_method", "Invalid method")
	errKeys    = fault.New(fault.Invalid, "sdk.missing_keys", "Missing Keys")
	errKey     = fault.New(fault.Invalid, "sdk.missing_key", "Invalid request, key is missing")

	errResolution = fault.New(fault.Invalid, "sdk.bad_resolution", "Invalid resolution format")
)

// answer is what a call is answered with: an error, except that a call of a queue gets the error's text as its result.
func (cl client) answer(err *fault.Error) (any, error) {
	if cl.queued {
		return api.Result{Result: err.Msg}, nil
	}
	return nil, err
}

// client finds who makes a call, and checks its signature if signed is set. A call that is not to go on
// is answered with refusal or err.
func (s *service) client(ctx context.Context, c api.Caller, key, device params.Value, signed bool) (cl client, refusal any, err error) {
	if text(key) {
		if cl.app, err = s.apps.FindByKey(ctx, key.String()); err != nil {
			return cl, nil, err
		}
	}
	cl.queued = cl.app != nil && queued(c)
	switch id := device.String(); {
	case key.String() == "":
		return cl, nil, errMissing
	case id == "" && cl.queued:
		s.refused(cl.app.ID, outcome.IgnoredDevice)
		return cl, api.Result{Result: ignoring}, nil
	case id == "":
		return cl, nil, errMissing
	case cl.app == nil:
		return cl, nil, errApp
	case signed && decode.Refusal([]byte(c.Params.Signed()), cl.app.Salt) != "":
		return cl, api.Result{Result: decode.Refusal([]byte(c.Params.Signed()), cl.app.Salt)}, nil
	case request.IgnoredDevice(id):
		s.refused(cl.app.ID, outcome.IgnoredDevice)
		return cl, api.Result{Result: ignoring}, nil
	}
	return cl, nil, nil
}

const ignoring = "Ignoring device_id"

// queued reports whether a call comes from an SDK's queue.
func queued(c api.Caller) bool {
	return c.Sent("rr")
}

// call answers /o/sdk and /i/sdk.
func (s *service) call(ctx context.Context, c api.Caller, r callReq) (any, error) {
	cl, refusal, err := s.client(ctx, c, r.AppKey, r.DeviceID, true)
	if refusal != nil || err != nil {
		return refusal, err
	}
	offer, err := s.offer(ctx, cl.app, r.Method)
	switch {
	case err != nil:
		return nil, err
	case offer != nil && cl.queued: // nobody reads the answer
		return api.Success(), nil
	case offer != nil:
		return offer, nil
	case r.Method == "ab" && !named(r.Keys):
		return cl.answer(errKeys)
	case r.Method == "ab_enroll_variant" && r.Key == "":
		return cl.answer(errKey)
	case request.RecordedCall(r.Method):
		reply, err := s.keep(c.Request(), cl.app, signedParams(c, cl.app))
		if err == nil && r.Method == "ab" && reply.Done() {
			reply.Result = "Successfully enrolled in ab tests"
		}
		return reply, err
	}
	s.refused(cl.app.ID, outcome.UnknownCall)
	return cl.answer(errMethod)
}

// offer is what a method that changes nothing answers; nil when there is no such method. Nothing
// but the settings is there yet, so it is what the protocol has for nothing to offer.
func (s *service) offer(ctx context.Context, app *model.App, method string) (any, error) {
	switch method {
	case "sc":
		doc, err := s.load(ctx, app.ID)
		return settings{Version: 2, Time: s.now().UnixMilli(), C: doc.delivered()}, err
	case "rc", "fetch_remote_config", "ab_fetch_variants", "fc":
		return struct{}{}, nil
	case "ab_fetch_experiments":
		return []any{}, nil
	case "feedback":
		return api.Result{Result: []any{}}, nil
	case "queue":
		return api.Result{Result: noContent}, nil
	}
	return nil, nil
}

const noContent = "No content block found!"

// named reports whether v is a list that names something.
func named(v params.Value) bool {
	var list []any
	return json.Unmarshal(v.Raw(), &list) == nil && len(list) > 0
}

// signedParams returns the parameters of a call: those of the signed part if its app has a salt. The key of the app is not among
// them.
func signedParams(c api.Caller, app *model.App) []request.Param {
	from := c.Params
	if app.Salt != "" {
		from = &params.Params{}
		params.EachPair(c.Params.Signed(), func(name, value string) bool {
			from.Set(name, params.Value{Text: value})
			return true
		})
	}
	return paramsOf(from, nil)
}

// paramsOf returns parameters as ingestion has them, those of the names only unless names is nil.
func paramsOf(from *params.Params, names []string) []request.Param {
	var out []request.Param
	for _, name := range from.Names() {
		if name == "app_key" || names != nil && !slices.Contains(names, name) {
			continue
		}
		v, _ := from.Get(name)
		p := request.Param{Name: name, Value: []byte(v.Text)}
		if !v.IsText() {
			p.Value, p.JSON = v.JSON, true
			var s string
			if json.Unmarshal(v.JSON, &s) == nil {
				p.Value, p.JSON = []byte(s), false
			}
		}
		out = append(out, p)
	}
	return out
}

// queueReq has what only requests from the queue of an SDK have.
type queueReq struct {
	Remaining params.Value `param:"rr"`
}

type contentReq struct {
	queueReq
	AppKey     params.Value `param:"app_key"`
	DeviceID   params.Value `param:"device_id"`
	Resolution params.Value `param:"resolution"`
}

// content answers what is to be shown to a user next.
func (s *service) content(w http.ResponseWriter, c api.Caller, r contentReq) error {
	cl, refusal, err := s.client(c.Request().Context(), c, r.AppKey, r.DeviceID, true)
	if err != nil {
		return err
	}
	status, answer := http.StatusOK, refusal
	if answer == nil {
		answer = api.Result{Result: noContent}
		var resolution map[string]any
		if json.Unmarshal(r.Resolution.Raw(), &resolution) != nil && !cl.queued {
			status, answer = http.StatusBadRequest, errResolution.Msg
			w.Header().Set(fault.Header, errResolution.Code)
		}
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, err = w.Write(b)
	return err
}

type unknownReq struct {
	AppKey params.Value `param:"app_key"`
}

// unknownPath answers what SDKs call that is not there (yet).
func (s *service) unknownPath(ctx context.Context, c api.Caller, r unknownReq) (any, error) {
	if text(r.AppKey) {
		app, err := s.apps.FindByKey(ctx, r.AppKey.String())
		if err != nil {
			return nil, err
		}
		if app != nil {
			s.refused(app.ID, outcome.UnknownCall)
			if queued(c) {
				return api.Result{Result: "Invalid path"}, nil
			}
		}
	}
	return nil, c.Unknown()
}
