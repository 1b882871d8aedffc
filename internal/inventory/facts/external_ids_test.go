package facts

import (
	"testing"

	"kubectl-operator-maturity/internal/inventory"
)

// TestExternalIDs: ids of what the object stands for count, ids of what was
// only looked up for it do not.
func TestExternalIDs(t *testing.T) {
	list := func(items ...map[string]any) []any {
		all := make([]any, len(items))
		for i := range items {
			all[i] = items[i]
		}
		return all
	}
	type m = map[string]any
	for _, c := range []struct {
		kind   string
		status m
		want   string // "" for none
	}{
		{"NodeClaim", m{"imageID": "ami-0d2f1c7a9be45d310", "providerID": "aws:///eu-west-1b/i-07d94e21bb3c8f502"}, "status.providerID: aws:///eu-west-1b/i-07d94e21bb3c8f502"},
		{"EC2NodeClass", m{"amis": list(m{"id": "ami-0d2f1c7a9be45d310"}), "subnets": list(m{"id": "subnet-0a1b2c3d4e5f60718"}), "instanceProfile": "shop_1"}, ""},
		{"Bucket", m{"ackResourceMetadata": m{"arn": "arn:aws:s3:::shop", "ownerAccountID": "123456789012"}}, "status.ackResourceMetadata.arn: arn:aws:s3:::shop"},
		{"Queue", m{"atProvider": m{"arn": "arn:aws:sqs:eu-west-1:1:q", "id": "https://sqs.example.com/1/q"}}, "status.atProvider.arn: arn:aws:sqs:eu-west-1:1:q"},
		{"Queue", m{"roleARN": "arn:aws:iam::1:role/x", "kmsKeyArn": "arn:aws:kms:eu-west-1:1:key/x"}, ""},
		{"Role", m{"roleARN": "arn:aws:iam::1:role/x"}, "status.roleARN: arn:aws:iam::1:role/x"},
		{"Record", m{"zoneID": "Z0123456789"}, ""},
		{"HostedZone", m{"zoneID": "Z0123456789"}, "status.zoneID: Z0123456789"},
		{"Gateway", m{"addresses": list(m{"hostname": "lb.example.net", "type": "Hostname"})}, "status.addresses[].hostname: lb.example.net"},
		{"Ingress", m{"loadBalancer": m{"ingress": list(m{"hostname": "lb.example.net"})}}, "status.loadBalancer.ingress[].hostname: lb.example.net"},
		{"LoadBalancer", m{"loadBalancer": m{"id": "lb-0123456"}}, "status.loadBalancer.id: lb-0123456"},
		{"Machine", m{"network": m{"id": "net-0123456"}, "image": m{"id": "ami-0123456"}}, ""},
		{"Database", m{"endpoint": "db.shop.svc.cluster.local:5432"}, ""},
		{"Database", m{"endpoint": "db.example.net:5432"}, "status.endpoint: db.example.net:5432"},
		{"Pool", m{"nodes": list(m{"id": "i-0123456", "providerID": "aws:///i-0123456"})}, ""},
		{"Policy", m{"rules": m{"matched": m{"url": "https://example.net"}}}, ""},
	} {
		w := newWorld()
		w.crd(c.kind + ".cloud.example.io")
		w.cr(c.kind+".cloud.example.io", "x", func(o *inventory.Object) { o.Status = inventory.Pack(map[string]any(c.status)) })
		got := w.first()
		want := c.want
		if want != "" {
			want = c.kind + "/shop/x " + want
		}
		is(t, c.kind, got.Seen.Examples["externalIDs"], want)
		is(t, c.kind+" counted", got.Instances.WithExternalID == 1, c.want != "")
	}
}
