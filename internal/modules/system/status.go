package system

import (
	"context"
	"strconv"

	"quipu/internal/api"
	"quipu/internal/store/docs"
)

// storage names the document store where clients look for a data base's version.
const storage = "SQLite"

type installed struct {
	Version string `json:"version"`
}

// versions are those of the program, as the folder, the store and the package have them: one program
// writes all three.
func (s *service) versions(context.Context, api.Caller, api.None) (api.Result, error) {
	list := []installed{{s.version}}
	return api.Result{Result: map[string]any{"mongo": storage, "fs": list, "db": list, "pkg": s.version}}, nil
}

type serviceRow struct {
	Service string `json:"service"`
	Status  string `json:"status"`
	Lag     int64  `json:"lag"` // records that wait
}

func statusOf(ok bool) string {
	if ok {
		return "ok"
	}
	return "down"
}

// observability lists the parts of the server and how they are doing.
func (s *service) observability(ctx context.Context, _ api.Caller, _ api.None) ([]serviceRow, error) {
	p, err := s.progress(ctx)
	if err != nil {
		return nil, err
	}
	spec := docs.Spec[probe]{Name: "system.probe", Version: 1}
	_, err = spec.Global(s.docs).Count(ctx, docs.Query{})
	return []serviceRow{{"ingestion", statusOf(p.Healthy), p.Waiting}, {"documents", statusOf(err == nil), 0}}, nil
}

type aggregatorRow struct {
	Name      string  `json:"name"`
	LastCD    *string `json:"last_cd"` // null: records carry no such date
	Drill     string  `json:"drill"`   // number of the newest record
	LastID    string  `json:"last_id"` // number of the newest record that is counted
	Diff      int64   `json:"diff"`    // records between them
	DiffDrill int64   `json:"diffDrill"`
}

// aggregator tells how far what was accepted is counted.
func (s *service) aggregator(ctx context.Context, _ api.Caller, _ api.None) ([]aggregatorRow, error) {
	p, err := s.progress(ctx)
	if err != nil {
		return nil, err
	}
	return []aggregatorRow{{
		Name: "pipeline", Drill: strconv.FormatUint(p.End, 10), LastID: strconv.FormatUint(p.Through, 10), Diff: p.Waiting, DiffDrill: p.Waiting,
	}}, nil
}

// kafkaState is that of an installation without Kafka.
type kafkaState struct {
	Summary    struct{} `json:"summary"`
	Partitions []string `json:"partitions"`
	Consumers  []string `json:"consumers"`
	LagHistory []string `json:"lagHistory"`
	Connect    struct{} `json:"connectStatus"`
}

func (s *service) kafka(context.Context, api.Caller, api.None) (kafkaState, error) {
	return kafkaState{Partitions: []string{}, Consumers: []string{}, LagHistory: []string{}}, nil
}

type kafkaReq struct{ api.List }

// kafkaEvents is empty: there is no Kafka.
func (s *service) kafkaEvents(_ context.Context, _ api.Caller, r kafkaReq) (api.Table[string], error) {
	return api.TableOf(r.List, docs.Page[string]{}, api.Itself[string]), nil
}

func (s *service) kafkaMeta(context.Context, api.Caller, api.None) (kafkaMeta, error) {
	return kafkaMeta{[]string{}, []string{}, []string{}, []string{}}, nil
}

// kafkaMeta lists by what events of Kafka can be filtered.
type kafkaMeta struct {
	EventTypes []string `json:"eventTypes"`
	GroupIDs   []string `json:"groupIds"`
	Topics     []string `json:"topics"`
	ClusterIDs []string `json:"clusterIds"`
}
