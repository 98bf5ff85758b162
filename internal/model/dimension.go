package model

// Dim is the place of a dimension in Dimensions and in Dims.
type Dim uint8

// The dimensions that code names. One that is read, stored, counted and shown like any other needs
// no name here.
const (
	Country        Dim = 0
	City           Dim = 1
	OS             Dim = 2
	OSVersion      Dim = 3
	Device         Dim = 4
	DeviceType     Dim = 5
	Manufacturer   Dim = 6
	Resolution     Dim = 7
	Carrier        Dim = 9
	AppVersion     Dim = 10
	Language       Dim = 11
	Browser        Dim = 12
	BrowserVersion Dim = 13
	Source         Dim = 14
	SDK            Dim = 15
	Region         Dim = 16
)

// Dims are the values of the dimensions, by their places in Dimensions; "" = unknown. The zero value knows nothing.
type Dims [len(Dimensions)]string

// Dimension is an attribute by which sessions and users are broken down. Its row in Dimensions is all there is to it:
// profiles, rows, cells, documents, lists and the dashboard follow. See docs/how-to/add-a-dimension.md.
type Dimension struct {
	// Name is that of the property of rows of begun sessions.
	Name string
	// Key is the short name on the wire: of the profile's field, of the column in the users table, and of the
	// property up.<key> of user states.
	Key string
	// Stored is the key of the field in stored profiles (docs/format/profile.md). Never reuse one.
	Stored uint64
	// Metric numbers its cells (docs/format/rollup.md). Never reuse one.
	Metric uint8
	// Sent is the metric of SDKs that holds the value as it is to be kept; "" = package device or the pipeline finds the value.
	Sent string
	// Required says that a session always counts under a value: Unknown when nobody reported one.
	Required bool
	// Many says that the values may be as many as users, which a column of few different texts cannot take.
	Many bool
	// Encoded says that values hold a colon where people read a dot.
	Encoded bool
	// Metrics are its names where the wire names a metric, the usual one first.
	Metrics []string
	// Documents are the time documents (method=… of /o) that its values are part of, and List is their list of values in
	// the meta data of these. None = it has no document.
	Documents []string
	List      string
	// Feature is the permission that its documents need; "" = core.
	Feature string
	// Plugin is what people know the feature by that counts it; nil = a part of the core.
	Plugin *DimensionPlugin
	// English and German are what the dashboard calls it.
	English, German Label
}

// Label names a dimension in a language: "Density", "Densities".
type Label struct{ Singular, Plural string }

// DimensionPlugin describes a dimension as a feature, in the plural.
type DimensionPlugin struct{ Code, Title, Description string }

// Unknown is the value of a dimension that must have one when nobody reported it.
const Unknown = "Unknown"

// Dimensions is the table of all dimensions. A new one goes to the end. The order is that of the properties of rows of
// begun sessions. Nobody writes to it.
var Dimensions = [...]Dimension{
	Country: {
		Name: "country", Key: "cc", Stored: 4, Metric: 4, Required: true, Metrics: []string{"countries"},

		English: Label{"Country", "Countries"}, German: Label{"Land", "Länder"},
	},
	City: {
		Name: "city", Key: "cty", Stored: 6, Metric: 5, Required: true, Many: true, Metrics: []string{"cities"},
		Documents: []string{"cities"}, List: "cities",

		English: Label{"City", "Cities"}, German: Label{"Stadt", "Städte"},
	},
	OS: {
		Name: "os", Key: "p", Stored: 10, Metric: 8, Metrics: []string{"platforms", "os"},
		Documents: []string{"device_details", "app_versions"}, List: "os",

		English: Label{"Platform", "Platforms"}, German: Label{"Plattform", "Plattformen"},
	},
	OSVersion: {
		Name: "os_version", Key: "pv", Stored: 11, Metric: 9, Encoded: true, Metrics: []string{"os_versions", "platform_versions"},
		Documents: []string{"device_details", "app_versions"}, List: "os_versions",

		English: Label{"System version", "System versions"}, German: Label{"Systemversion", "Systemversionen"},
	},
	Device: {
		Name: "device", Key: "d", Stored: 7, Metric: 6, Metrics: []string{"devices"},
		Documents: []string{"devices"}, List: "devices",

		English: Label{"Device", "Devices"}, German: Label{"Gerät", "Geräte"},
	},
	DeviceType: {
		Name: "device_type", Key: "dt", Stored: 8, Metric: 18, Metrics: []string{"device_type", "device_types"},

		English: Label{"Device type", "Device types"}, German: Label{"Geräteart", "Gerätearten"},
	},
	Manufacturer: {
		Name: "manufacturer", Key: "mnf", Stored: 9, Metric: 19, Metrics: []string{"manufacturers"},

		English: Label{"Manufacturer", "Manufacturers"}, German: Label{"Hersteller", "Hersteller"},
	},
	Resolution: {
		Name: "resolution", Key: "r", Stored: 13, Metric: 10, Sent: "_resolution", Metrics: []string{"resolutions"},
		Documents: []string{"device_details", "app_versions"}, List: "resolutions",

		English: Label{"Resolution", "Resolutions"}, German: Label{"Auflösung", "Auflösungen"},
	},
	{
		Name: "density", Key: "dnst", Stored: 15, Metric: 14, Sent: "_density", Many: true, Metrics: []string{"density", "densities"},
		Documents: []string{"density"}, List: "density",
		Plugin: &DimensionPlugin{Code: "density", Title: "Densities", Description: "Counts sessions and users by the density of their displays."},

		English: Label{"Density", "Densities"}, German: Label{"Pixeldichte", "Pixeldichten"},
	},
	Carrier: {
		Name: "carrier", Key: "c", Stored: 14, Metric: 7, Required: true, Metrics: []string{"carriers"},
		Documents: []string{"carriers"}, List: "carriers",

		English: Label{"Carrier", "Carriers"}, German: Label{"Netzbetreiber", "Netzbetreiber"},
	},
	AppVersion: {
		Name: "app_version", Key: "av", Stored: 12, Metric: 11, Encoded: true, Metrics: []string{"app_versions"},
		Documents: []string{"device_details", "app_versions"}, List: "app_versions",

		English: Label{"App version", "App versions"}, German: Label{"App-Version", "App-Versionen"},
	},
	Language: {
		Name: "language", Key: "la", Stored: 16, Metric: 15, Metrics: []string{"langs", "languages"},
		Documents: []string{"langs"}, List: "langs", Feature: "locale",

		English: Label{"Language", "Languages"}, German: Label{"Sprache", "Sprachen"},
	},
	Browser: {
		Name: "browser", Key: "brw", Stored: 18, Metric: 12, Many: true, Metrics: []string{"browser", "browsers"},
		Documents: []string{"browser"}, List: "browser",
		Plugin: &DimensionPlugin{Code: "browser", Title: "Browsers", Description: "Counts sessions and users by browser and its version."},

		English: Label{"Browser", "Browsers"}, German: Label{"Browser", "Browser"},
	},
	BrowserVersion: {
		Name: "browser_version", Key: "brwv", Stored: 19, Metric: 13, Many: true, Encoded: true, Metrics: []string{"browser_version", "browser_versions"},
		Documents: []string{"browser"}, List: "browser_version",

		English: Label{"Browser version", "Browser versions"}, German: Label{"Browserversion", "Browserversionen"},
	},
	Source: {
		Name: "source", Key: "src", Stored: 17, Metric: 16, Many: true, Metrics: []string{"sources"},
		Documents: []string{"sources"}, List: "sources",
		Plugin: &DimensionPlugin{Code: "sources", Title: "Sources", Description: "Counts sessions and users by the store or page that they come from."},

		English: Label{"Source", "Sources"}, German: Label{"Herkunft", "Herkunft"},
	},
	SDK: {
		Name: "sdk", Key: "sdk", Stored: 20, Metric: 17, Encoded: true, Metrics: []string{"sdks"},
		Documents: []string{"sdks"}, List: "sdks",

		English: Label{"SDK", "SDKs"}, German: Label{"SDK", "SDKs"},
	},
	Region: {
		Name: "region", Key: "rgn", Stored: 5, Metric: 20, Metrics: []string{"regions"},

		English: Label{"Region", "Regions"}, German: Label{"Region", "Regionen"},
	},
}

// DimensionByKey returns the place of the dimension with the short name; false when there is none.
func DimensionByKey(key string) (Dim, bool) {
	for i := range Dimensions {
		if Dimensions[i].Key == key {
			return Dim(i), true // there are few
		}
	}
	return 0, false
}
