package inventory

import (
	"regexp"
	"strings"
)

// maxDescription bounds what is kept of the descriptions of a schema, in bytes.
const maxDescription = 200

// boilerplate are sentences that generators write and that repeat the kind:
// "Widget is the Schema for the widgets API", "WidgetSpec defines the desired
// state of Widget", and the link to the API conventions.
var boilerplate = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:an? |the )?\w+ is the schema for (?:the )?[\w-]+ apis?(?:\. |\.?$)`),
	regexp.MustCompile(`(?i)^(?:the )?\w* ?(?:is|defines|specifies|describes|represents|holds) the (?:desired state|specification|spec) (?:of|for) (?:an? |the )?\w+(?: \(from the client\))?(?:\. |\.?$)`),
	regexp.MustCompile(`(?i)(?:more info: ?)?https?://\S*api-conventions\S*`),
}

// descriptionOf joins what the root of a schema and its spec say of
// themselves, without boilerplate.
func descriptionOf(ofRoot, ofSpec string) string {
	own, spec := informative(ofRoot), informative(ofSpec)
	if spec == own {
		spec = ""
	}
	return cut(Text(own+" "+spec), maxDescription)
}

func informative(description string) string {
	description = Text(description)
	for _, b := range boilerplate {
		description = b.ReplaceAllString(description, "")
	}
	return strings.TrimSpace(description)
}
