package attribution

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// amount is a number that clients may send as text.
type amount float64

// UnmarshalJSON reads a number, or a text that holds one; "" is 0.
func (a *amount) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "" || text == "null" {
		*a = 0
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	*a = amount(f)
	return err
}

// sent is a campaign as clients send it; what was not sent stays as it is.
type sent struct {
	ID          string             `json:"_id"`
	CampaignID  string             `json:"campaign_id"`
	Name        *string            `json:"name"`
	Link        *string            `json:"link"`
	Links       *map[string]string `json:"links"`
	Fingerprint *bool              `json:"fingerprint"`
	Cost        *amount            `json:"cost"`
	CostType    *string            `json:"costtype"`
	Type        *string            `json:"type"`
	TypeData    json.RawMessage    `json:"typedata"`
	Postbacks   json.RawMessage    `json:"postbacks"`
}

type writeReq struct {
	Args params.Value `param:"args"`
}

func (r writeReq) read() (in sent, err error) {
	if len(bytes.TrimSpace(r.Args.Raw())) == 0 || json.Unmarshal(r.Args.Raw(), &in) != nil {
		return in, errArgs
	}
	return in, nil
}

// fill changes what was sent. An empty name or type changes nothing, an empty link takes the link away.
func (in *sent) fill(c *Campaign) error {
	text := func(field, value *string) {
		if value != nil && strings.TrimSpace(*value) != "" {
			*field = strings.TrimSpace(*value)
		}
	}
	text(&c.Name, in.Name)
	if in.Link != nil {
		c.Link = strings.TrimSpace(*in.Link)
	}
	text(&c.Type, in.Type)
	text(&c.CostType, in.CostType)
	if in.Links != nil {
		c.Links = map[string]string{}
		for platform, link := range *in.Links {
			if link = strings.TrimSpace(link); link != "" {
				c.Links[strings.ToLower(platform)] = link
			}
		}
	}
	if in.Fingerprint != nil {
		c.Fingerprint = *in.Fingerprint
	}
	if in.Cost != nil {
		c.Cost = float64(*in.Cost)
	}
	if len(in.TypeData) > 0 {
		c.TypeData = in.TypeData
	}
	if len(in.Postbacks) > 0 {
		c.Postbacks = in.Postbacks
	}
	return c.Validate()
}

// create keeps a campaign.
func (s *service) create(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	in, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if in.Name == nil || strings.TrimSpace(*in.Name) == "" {
		return api.Result{}, errArgs
	}
	d := Campaign{
		ID: strings.TrimSpace(in.ID), AppID: c.App.ID.String(), Links: map[string]string{}, CostType: perClick, Creator: c.Member.ID,
		Created: c.Now.Unix(), Salt: model.NewID().String() + model.NewID().String(),
	}
	if d.ID == "" {
		d.ID = model.NewID().String()
	}
	if err := in.fill(&d); err != nil {
		return api.Result{}, err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		if err := routes().Global(tx).Create(ctx, route{ID: d.ID, App: c.App.ID}); err != nil {
			return err
		}
		return spec().In(tx, c.App.ID).CreateUpTo(ctx, d, maxCampaigns, errTooMany)
	})
	if fault.CodeOf(err) == "docs.exists" {
		return api.Result{}, errDuplicate
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("campaign_created", nil, d.audited(), nil)
	return api.Success(), nil
}

// change changes a campaign.
func (s *service) change(ctx context.Context, c api.Caller, id, action string, fn func(*Campaign) error) (api.Result, error) {
	var before Campaign
	after, err := spec().In(s.docs, c.App.ID).Update(ctx, id, func(d *Campaign) error {
		before = *d
		return fn(d)
	})
	if unknownID(err) {
		return api.Result{}, errNotFound
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit(action, before.audited(), after.audited(), nil)
	return api.Success(), nil
}

func (s *service) update(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	in, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if in.ID == "" {
		return api.Result{}, errArgs
	}
	return s.change(ctx, c, in.ID, "campaign_edited", func(d *Campaign) error {
		d.Edited = c.Now.Unix()
		return in.fill(d)
	})
}

func (s *service) hide(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	return s.visible(ctx, c, r, false)
}

func (s *service) show(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	return s.visible(ctx, c, r, true)
}

func (s *service) visible(ctx context.Context, c api.Caller, r writeReq, on bool) (api.Result, error) {
	in, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if in.CampaignID == "" {
		in.CampaignID = in.ID
	}
	if in.CampaignID == "" {
		return api.Result{}, errArgs
	}
	return s.change(ctx, c, in.CampaignID, "campaign_edited", func(d *Campaign) error {
		d.Hidden = !on
		return nil
	})
}

// remove deletes a campaign with its clicks and costs. What people did stays theirs, and keeps the id.
func (s *service) remove(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	in, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	before, err := spec().In(s.docs, c.App.ID).Get(ctx, in.ID)
	if unknownID(err) {
		return api.Result{}, errDelete
	}
	if err != nil {
		return api.Result{}, err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		if err := spec().In(tx, c.App.ID).Delete(ctx, in.ID); err != nil {
			return err
		}
		if err := routes().Global(tx).Delete(ctx, in.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
		its := docs.Query{Where: []docs.Cond{docs.Eq(".campaign", in.ID)}}
		if _, err := visitorsOf().In(tx, c.App.ID).DeleteWhere(ctx, its); err != nil {
			return err
		}
		_, err := days().In(tx, c.App.ID).DeleteWhere(ctx, its)
		return err
	})
	if docs.IsNotFound(err) {
		return api.Result{}, errDelete
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("campaign_deleted", before.audited(), nil, nil)
	return api.Success(), nil
}
