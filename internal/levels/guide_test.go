package levels

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// Every key of a rule and of a rule test is explained to those who write them.
func TestTheGuideHasEveryKey(t *testing.T) {
	doc, err := os.ReadFile("../../docs/writing-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, written := range []reflect.Type{reflect.TypeFor[writtenRule](), reflect.TypeFor[writtenFinding](), reflect.TypeFor[writtenTest](), reflect.TypeFor[ruleFile]()} {
		for i := range written.NumField() {
			if key := written.Field(i).Tag.Get("yaml"); key != "" && !strings.Contains(string(doc), key+":") {
				t.Errorf("docs/writing-rules.md does not explain %s", key)
			}
		}
	}
}
