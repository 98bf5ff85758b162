package plan

import "context"

// Operator is the kind of question that a statement is part of.
type Operator string

// The operators. OtherOperator is what says nothing else.
const (
	ActiveOperator    Operator = "active"
	CohortOperator    Operator = "cohort"
	DrillOperator     Operator = "drill"
	ExportOperator    Operator = "export"
	FlowOperator      Operator = "flow"
	FunnelOperator    Operator = "funnel"
	LifetimeOperator  Operator = "lifetime"
	LiveOperator      Operator = "live"
	PeopleOperator    Operator = "people"
	RetentionOperator Operator = "retention"
	RevenueOperator   Operator = "revenue"
	ValuesOperator    Operator = "values"
	OtherOperator     Operator = "other"
)

// Operators lists all of them.
func Operators() []Operator {
	return []Operator{
		ActiveOperator, CohortOperator, DrillOperator, ExportOperator, FlowOperator, FunnelOperator, LifetimeOperator,
		LiveOperator, PeopleOperator, RetentionOperator, RevenueOperator, ValuesOperator, OtherOperator,
	}
}

type operatorKey struct{}

// For returns a context whose statements are part of a question of a kind. What already belongs to one, which asks others on its way, stays
// part of that.
func For(ctx context.Context, o Operator) context.Context {
	if _, ok := ctx.Value(operatorKey{}).(Operator); ok {
		return ctx
	}
	return context.WithValue(ctx, operatorKey{}, o)
}

// OperatorOf returns the kind of question that the statements of a context are part of.
func OperatorOf(ctx context.Context) Operator {
	if o, ok := ctx.Value(operatorKey{}).(Operator); ok {
		return o
	}
	return OtherOperator
}
