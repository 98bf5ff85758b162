package sdk

import "quipu/internal/ingest/pipeline"

// The events of answers to widgets.
const (
	ratingKey = "[CLY]_star_rating"
	npsKey    = "[CLY]_nps"
	surveyKey = "[CLY]_survey"
)

// ingestion is the module's part in ingestion: calls that features read later, and answers to widgets, whose rows have the widget's name.
func ingestion() *pipeline.Feature {
	return &pipeline.Feature{
		Name: "sdk", Fields: []string{"method", "key", "variant", "keys"},
		Names: map[string]string{ratingKey: "widget_id", npsKey: "widget_id", surveyKey: "widget_id"},
	}
}
