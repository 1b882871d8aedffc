package main

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/util/jsonpath"
)

// column is a column of a table of custom resources.
type column struct {
	metav1.TableColumnDefinition
	path *jsonpath.JSONPath
}

func printerColumns(defined []apiextensionsv1.CustomResourceColumnDefinition) []column {
	var columns []column
	for _, d := range defined {
		path := jsonpath.New(d.Name).AllowMissingKeys(true)
		if err := path.Parse("{" + d.JSONPath + "}"); err != nil {
			panic(err) // a slip in what generates CRDs
		}
		columns = append(columns, column{metav1.TableColumnDefinition{Name: d.Name, Type: d.Type, Format: d.Format}, path})
	}
	return columns
}

// tableList is a list as kubectl get asks for it. Custom resources have the
// columns that their CRD says. Built-in kinds have only name and age: a real
// server has more, made by code of its own.
func tableList(c *collection, from, to int, m metav1.ListMeta) runtime.Object {
	table := &metav1.Table{ListMeta: m, ColumnDefinitions: []metav1.TableColumnDefinition{{Name: "Name", Type: "string", Format: "name"}}}
	table.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("Table"))
	for _, column := range c.columns {
		table.ColumnDefinitions = append(table.ColumnDefinitions, column.TableColumnDefinition)
	}
	if c.columns == nil {
		table.ColumnDefinitions = append(table.ColumnDefinitions, metav1.TableColumnDefinition{Name: "Created At", Type: "date"})
	}
	for i := from; i < to; i++ {
		partial := meta.AsPartialObjectMetadata(c.objects.at(i))
		partial.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
		cells := []any{partial.Name}
		for _, column := range c.columns {
			cells = append(cells, column.cell(c.objects.at(i)))
		}
		if c.columns == nil {
			cells = append(cells, partial.CreationTimestamp.UTC().Format(time.RFC3339))
		}
		table.Rows = append(table.Rows, metav1.TableRow{Cells: cells, Object: runtime.RawExtension{Object: partial}})
	}
	return table
}

// cell is what an object has in a column, nil for nothing.
func (c column) cell(o metav1.Object) any {
	custom, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil
	}
	found, err := c.path.FindResults(custom.Object)
	if err != nil || len(found) == 0 || len(found[0]) == 0 {
		return nil
	}
	value := found[0][0].Interface()
	text, ok := value.(string)
	if !ok || c.Type != "date" {
		return value
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "<invalid>"
	}
	return duration.HumanDuration(time.Since(at))
}
