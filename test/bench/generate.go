package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/google/uuid"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// world is everything that the server serves: the same objects in every run.
type world struct {
	*rand.Rand
	crds        []apiextensionsv1.CustomResourceDefinition
	collections []*collection
	namespaces  []string
	made        uint64
	began       time.Time
}

// generate makes a cluster. Times in it are near now, so that Leases are fresh.
func generate(s size, now time.Time) *world {
	c := &world{Rand: rand.New(rand.NewPCG(1, 2)), began: now.UTC().Truncate(time.Second)}
	for i := range max(s.pods/100, 5) {
		c.namespaces = append(c.namespaces, fmt.Sprintf("team-%03d", i))
	}
	counts := c.addCRDs(s)
	c.collections = append(c.collections, crdCollection(c.crds))
	b := newBuiltins(c)
	for i := range c.crds {
		crd := &c.crds[i]
		customs := c.customs(crd, operatorOf(i), counts[i])
		c.collections = append(c.collections, customCollection(crd, customs))
		b.owners = append(b.owners, customs[:min(len(customs), 40)]...)
	}
	for i := range operatorOf(s.crds-1) + 1 {
		b.operator(i)
	}
	b.workloads(s.pods)
	b.rest(s)
	c.collections = append(c.collections, b.collections()...)
	for _, made := range c.collections {
		made.sort()
	}
	return c
}

func (c *world) namespace(i int) string { return c.namespaces[i%len(c.namespaces)] }

// at is a time in the last weeks.
func (c *world) at(i int) metav1.Time {
	return metav1.Time{Time: c.began.Add(-time.Duration(1+i%20_000) * time.Minute)}
}

func (c *world) meta(namespace, name string) metav1.ObjectMeta {
	c.made++
	var id uuid.UUID
	for i := range 8 {
		id[i] = byte(c.made >> (8 * i))
	}
	id[15] = 1
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(id.String()),
		ResourceVersion: strconv.FormatUint(c.made, 10), CreationTimestamp: c.at(int(c.made)),
	}
}

func operatorName(i int) string { return fmt.Sprintf("op%03d", i) }
