package inventory

// secrets is no row of the kinds table: no scan reads Secrets unless its user
// asks for their owners, and then by metadata alone.
var secrets = other("", "v1", "secrets", "Secret", "children, on request only (metadata only)")

// Secrets is the kind of Secrets, by metadata alone. It is not in Kinds.
func Secrets() *Kind { return &secrets }

// storedKinds are the kinds that a snapshot can hold: the table and Secrets.
func storedKinds() []*Kind {
	list := make([]*Kind, 0, len(kinds)+1)
	for i := range kinds {
		list = append(list, &kinds[i])
	}
	return append(list, &secrets)
}

// storedKind is KindFor for objects of a snapshot.
func storedKind(group, kind string) *Kind {
	if group == secrets.Group && kind == secrets.Kind {
		return &secrets
	}
	return KindFor(group, kind)
}
