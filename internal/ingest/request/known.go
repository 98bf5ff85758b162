package request

// Parameters that the edge adds to records; nothing that clients send has these names in the journal.
const (
	// OnceParam identifies a request by the header Idempotency-Key: the first half of the key's SHA-256, and for an item of a bulk
	// request its index.
	OnceParam = "idempotency_key"
	// OriginParam names, in the record of an app that another one's data flow into, that other app. It keeps requests
	// of two sources apart that are equal but for the app they were sent to.
	OriginParam = "consolidated_from"
	// ReceiptParam is the tag of the receipt that somebody waits for.
	ReceiptParam = "receipt"
)

// Known reports whether ingestion knows a parameter: those that Parse reads, and those that it keeps for features
// which read them from the record. All others are left out of the journal.
func Known(name string) bool {
	switch name {
	case "app_key", "device_id", "old_device_id", "t", "timestamp", "hour", "dow", "tz", "sdk_name", "sdk_version", "av", "rr",
		"checksum", "checksum256",
		"begin_session", "end_session", "ignore_cooldown", "session_duration",
		"metrics", "events", "user_details", "consent", "crash", "apm", "hc", "aid",
		"location", "ip_address", "ip", "country_code", "region", "city", "locale",
		"campaign_id", "campaign_user", "attribution_data",
		"token_session", "ios_token", "android_token", "test_mode", "token_provider",
		"method", "key", "keys", "variant", "populator":
		return true
	}
	return false
}
