package openapi

import "maps"

// SentByClients lists the parameters that the description has of /i.
func SentByClients() ([]string, error) {
	rows, err := table("ingestion.tsv", 4)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, row := range rows {
		out = append(out, row[0])
	}
	return out, nil
}

// ingestion adds the paths that are no routes of the API: what clients send, the key of a member by name and password, and probes.
func (d *describer) ingestion() {
	properties, encoding := object{}, object{}
	for _, row := range d.facts.sent {
		fact := parameterFact{kind: row[1], usual: row[2], text: row[3]}
		schema, structured := fact.schema(anyText)
		if fact.kind == "number" {
			schema["type"] = "number"
		}
		schema = d.facts.shaped(clientRoute+row[0], schema)
		schema["description"] = fact.text
		properties[row[0]] = schema
		if structured {
			encoding[row[0]] = object{"contentType": "application/json"}
		}
	}
	properties["receipt"] = receiptParameter
	d.receipts()
	request := object{"type": "object", "required": []string{"app_key", "device_id"}, "properties": properties, "description": "One request of a client."}
	d.schemas["ClientRequest"] = request
	ref := object{"$ref": "#/components/schemas/ClientRequest"}
	example := object{"app_key": exampleKey, "device_id": "a-device", "events": []any{object{"key": "purchase", "count": 1, "sum": 9.99}}}
	answer := object{"description": "The request is stored, or was stored before.", "content": object{"application/json": object{
		"schema": object{"$ref": "#/components/schemas/Stored"}, "example": object{"result": "Success"},
	}}}
	refused := object{"200": answer, "400": fault("BadRequest"), "default": fault("Fault")}
	op := func(id, summary, text string, responses object) object {
		return object{"operationId": id, "summary": summary, "description": text, "tags": d.tag("ingest"), "security": []any{}, "responses": responses}
	}
	post := op("postI", "Send a request of a client", "Sessions, events, crashes and properties of one user. The answer comes when the request is on disk.", refused)
	post["parameters"] = []any{onceParameter}
	post["x-quipu-faults"] = d.facts.faults["ingest"]
	post["requestBody"] = object{"required": true, "content": object{
		"application/x-www-form-urlencoded": object{"schema": ref, "encoding": encoding, "example": example},
		"application/json":                  object{"schema": ref, "example": example},
	}}
	d.add("/i", "post", post)
	bulk := op("postBulk", "Send several requests of clients", "Each is a request as of `/i`; `app_key` and other parameters beside `requests` hold for those that have none. "+
		"The answer is success when all were looked at; what became of each is in `/o/ingest/outcomes`.", maps.Clone(refused))
	bulk["parameters"] = []any{onceParameter}
	bulk["x-quipu-faults"] = d.facts.faults["ingest"]
	bulk["requestBody"] = object{"required": true, "content": object{"application/x-www-form-urlencoded": object{
		"schema": object{"type": "object", "required": []string{"requests"}, "properties": object{
			"app_key":  object{"type": "string", "description": "Key of the app."},
			"requests": object{"type": "array", "items": object{"type": "object"}, "description": "The requests."},
			"receipt":  receiptParameter,
		}}, "encoding": object{"requests": object{"contentType": "application/json"}}, "example": object{"app_key": exampleKey, "requests": []any{object{"device_id": "a-device", "begin_session": 1}}},
	}}}
	d.add("/i/bulk", "post", bulk)
	pixel := op("getPixel", "Send a request of a client by a picture", "Takes the parameters of `/i`; the answer is a picture.", object{
		"200": object{"description": "A picture of one pixel.", "content": object{"image/png": object{"schema": object{"type": "string"}}}}, "default": fault("Fault"),
	})
	pixel["parameters"] = []any{
		object{"name": "app_key", "in": "query", "required": true, "description": "Key of the app.", "schema": object{"type": "string"}},
		object{"name": "device_id", "in": "query", "required": true, "description": "Id of the device.", "schema": object{"type": "string"}},
	}
	d.add("/pixel.png", "get", pixel)
	plain := func(text string) object {
		return object{"description": text, "content": object{"text/plain": object{"schema": object{"type": "string"}}}}
	}
	refusal := func(text string) object {
		o := plain(text)
		o["headers"] = codeHeader
		return o
	}
	key := op("getAPIKey", "Key of a member by name and password", "The answer is the key as text.", object{
		"200": plain("The key."), "401": refusal("`-1`: name or password are wrong."), "default": refusal("Any other fault."),
	})
	key["security"], key["tags"] = []any{object{"basic": []string{}}}, d.tag("members")
	d.add("/api-key", "get", key)
	for _, probe := range [][3]string{{"/livez", "getLivez", "Whether the process runs"}, {"/readyz", "getReadyz", "Whether data is accepted"}} {
		o := op(probe[1], probe[2], "For probes of monitoring.", object{"200": plain("It does."), "503": refusal("It does not."), "default": refusal("Any other fault.")})
		o["tags"] = d.tag("system")
		d.add(probe[0], "get", o)
	}
	self := op("getOpenAPI", "This description", "OpenAPI 3.1, made of the routes of the server.", object{
		"200":     object{"description": "The description.", "content": object{"application/json": object{"schema": object{"type": "object"}}}},
		"default": fault("Fault"),
	})
	self["tags"] = d.tag("system")
	d.add("/openapi.json", "get", self)
}

// onceParameter is the header by which requests are known again.
var onceParameter = object{
	"name": "Idempotency-Key", "in": "header",
	"description": "Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best.",
	"schema":      object{"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}

var receiptParameter = object{"type": "boolean", "default": false, "description": "The answer says what became of each item."}

// receipts adds the schemas of answers to clients.
func (d *describer) receipts() {
	outcome := object{"type": "string", "enum": []string{"accepted", "ignored", "refused", "pending"}, "description": "Ignored is what is in order and counts nothing; pending is stored and not processed yet."}
	code := object{"type": "string", "description": "Code of the fault; accepted items have none."}
	d.schemas["Receipt"] = object{
		"type": "object", "required": []string{"index", "outcome"}, "description": "What became of a request of a client.",
		"properties": object{
			"index": object{"type": "integer", "description": "Of the request, from 0."}, "outcome": outcome, "code": code,
			"items":    object{"type": "array", "items": object{"$ref": "#/components/schemas/ReceiptItem"}},
			"left_off": object{"type": "integer", "description": "How many items are not listed."},
		},
	}
	d.schemas["ReceiptItem"] = object{
		"type": "object", "required": []string{"item", "outcome"}, "description": "What became of a part of a request.",
		"properties": object{
			"item":  object{"type": "string", "enum": []string{"session", "event", "crash", "trace", "picture"}},
			"index": object{"type": "integer", "description": "Of an event, among the events as they were sent, from 0."}, "outcome": outcome, "code": code,
		},
	}
	d.schemas["Stored"] = object{
		"type": "object", "required": []string{"result"}, "properties": object{
			"result":  object{"type": "string", "description": "`Success`, or why the request is dropped."},
			"info":    object{"type": "string", "description": "That the request was stored before."},
			"receipt": object{"type": "array", "items": object{"$ref": "#/components/schemas/Receipt"}, "description": "What became of each request, where `receipt` asks for it."},
		},
	}
}

// exampleKey stands for keys of apps.
const exampleKey = "0123456789abcdef0123456789abcdef01234567"
