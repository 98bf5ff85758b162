package attribution

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
)

// Bounds of a file of costs.
const (
	maxCostBytes = 4 << 20
	maxCostRows  = 20_000
	maxCost      = 1e12
	maxUnmatched = 100
)

type costsReq struct {
	Data params.Value `param:"data"`
}

// costsRes is what became of a file of costs.
type costsRes struct {
	Result    string   `json:"result"`
	Rows      int      `json:"rows"`      // of the file
	Days      int      `json:"days"`      // of campaigns that have a cost now
	Unmatched []string `json:"unmatched"` // lines that name no campaign, a wrong date or a wrong cost; the first 100
	Missed    int      `json:"missed"`    // how many there are in all
}

func errFile(text string) error { return fault.New(fault.Invalid, "attribution.bad_file", text) }

// costOf is a campaign on a day.
type costOf struct {
	id  string
	day period.Day
}

// importCosts takes what campaigns cost by day from a file of comma-separated values with the columns date, campaign (id or name) and cost. What
// a file says of a day replaces what was imported before.
func (s *service) importCosts(ctx context.Context, c api.Caller, r costsReq) (*costsRes, error) {
	files := []string{r.Data.String()}
	for _, f := range c.Files {
		files = append(files, string(f.Data))
	}
	text := strings.Join(files, "\n")
	if strings.TrimSpace(text) == "" {
		return nil, errFile("Send a file with the columns date, campaign and cost")
	}
	if len(text) > maxCostBytes {
		return nil, errFile("The file is too large")
	}
	ids, own := map[string]string{}, []string{}
	for d, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{}) {
		if err != nil {
			return nil, err
		}
		if _, taken := ids[strings.ToLower(d.Name)]; !taken {
			ids[strings.ToLower(d.Name)] = d.ID
		}
		own = append(own, d.ID)
	}
	for _, id := range own { // an id stands above a name
		ids[id] = id
	}
	costs, out, err := readCosts(strings.TrimSpace(text), ids)
	if err != nil {
		return nil, err
	}
	for at, cost := range costs {
		err := s.docs.Tx(ctx, func(tx docs.Handle) error {
			return changeDay(ctx, tx, c.App.ID, at.id, at.day, func(d *day) error {
				d.Cost, d.Paid = rounded(cost), true
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	out.Result, out.Days = "Success", len(costs)
	c.Audit("campaign_costs_imported", nil, map[string]any{"rows": out.Rows, "days": out.Days, "missed": out.Missed}, nil)
	return out, nil
}

// readCosts adds up the costs of a file. ids are those of campaigns by what names them.
func readCosts(text string, ids map[string]string) (map[costOf]float64, *costsRes, error) {
	head, _, _ := strings.Cut(text, "\n")
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	if r.FieldsPerRecord = -1; strings.Count(head, ";") > strings.Count(head, ",") {
		r.Comma = ';'
	}
	r.TrimLeadingSpace, r.ReuseRecord = true, true
	columns := map[string]int{}
	header, err := r.Read()
	if err != nil {
		return nil, nil, errFile("The file cannot be read")
	}
	for i, name := range header {
		columns[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range [...]string{"date", "campaign", "cost"} {
		if _, ok := columns[name]; !ok {
			return nil, nil, errFile("The first line has no column " + name)
		}
	}
	costs, out := map[costOf]float64{}, &costsRes{Unmatched: []string{}}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return costs, out, nil
		}
		if err != nil {
			return nil, nil, errFile("The file cannot be read")
		}
		if out.Rows++; out.Rows > maxCostRows {
			return nil, nil, errFile("The file has more than 20000 lines")
		}
		field := func(name string) string {
			if i := columns[name]; i < len(record) {
				return strings.TrimSpace(record[i])
			}
			return ""
		}
		id := ids[field("campaign")]
		if id == "" {
			id = ids[strings.ToLower(field("campaign"))]
		}
		at, dateErr := time.Parse(time.DateOnly, field("date"))
		amount := field("cost")
		if r.Comma == ';' && strings.Contains(amount, ",") && !strings.Contains(amount, ".") {
			amount = strings.ReplaceAll(amount, ",", ".")
		}
		cost, costErr := strconv.ParseFloat(amount, 64)
		if id == "" || dateErr != nil || at.Year() < 2000 || at.Year() > 2200 || costErr != nil || !(cost >= 0 && cost <= maxCost) {
			if out.Missed++; out.Missed <= maxUnmatched {
				out.Unmatched = append(out.Unmatched, clean(strings.Join(record, ", ")))
			}
			continue
		}
		costs[costOf{id, period.DayOf(at.Year(), int(at.Month()), at.Day())}] += cost
	}
}
