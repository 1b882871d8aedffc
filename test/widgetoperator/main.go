// Command widget-operator reconciles the kind Widget of the tests, the way an
// operator in the field does: with controller-runtime, a finalizer, owner
// references, conditions, Events, metrics and leader election. It is small and
// does what it says, so that a test knows which verdicts about it are right.
//
// A Widget becomes a Deployment, a Service and a ConfigMap; several replicas
// bring a PodDisruptionBudget and a backup schedule brings a CronJob. It cannot
// restore a backup, ships no alerts and scales nothing by itself.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	// manage is the field manager of everything that the operator applies.
	manage = "widget-operator"

	renewDeadline = 10 * time.Second // of the leader, controller-runtime's default
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "widget-operator:", err)
		os.Exit(1)
	}
}

func run() error {
	metrics := flag.String("metrics-bind-address", ":8080", "where metrics are served")
	probes := flag.String("health-probe-bind-address", ":8081", "where /healthz and /readyz are served")
	elect := flag.Bool("leader-elect", false, "let one of several replicas be active at a time")
	namespace := flag.String("namespace", os.Getenv("POD_NAMESPACE"), "where the operator runs")
	flag.Parse()
	if *namespace == "" {
		return errors.New("set --namespace or POD_NAMESPACE to where the operator runs")
	}
	ctrl.SetLogger(zap.New())

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), addToScheme(scheme)); err != nil {
		return err
	}
	options := manager.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: *metrics},
		HealthProbeBindAddress:        *probes,
		LeaderElection:                *elect,
		LeaderElectionReleaseOnCancel: true,
	}
	if *elect {
		if options.LeaderElectionResourceLockInterface, err = lock(config, *namespace); err != nil {
			return err
		}
	}
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	err = errors.Join(
		mgr.AddHealthzCheck("ping", healthz.Ping),
		mgr.AddReadyzCheck("ping", healthz.Ping),
		setup(mgr, *namespace),
	)
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

// lock is the leader's Lease. Its holder is named after the pod, which is also
// the host's name in a cluster and is not where the operator runs beside one.
func lock(config *rest.Config, namespace string) (resourcelock.Interface, error) {
	holder := os.Getenv("POD_NAME")
	if holder == "" {
		var err error
		if holder, err = os.Hostname(); err != nil {
			return nil, fmt.Errorf("naming the leader: %w", err)
		}
	}
	return resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, "widget-operator."+group,
		resourcelock.ResourceLockConfig{Identity: holder + "_" + string(uuid.NewUUID())}, config, renewDeadline)
}
