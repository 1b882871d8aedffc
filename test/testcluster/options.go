package testcluster

// Option changes how a control plane is started.
type Option func(*options)

type options struct {
	users           map[string][]string // groups by user
	controllers     bool
	controllerFlags []string
	serverFlags     []string
}

const (
	// self is who this package connects as, and controllerManager who kube-controller-manager does, so that
	// Requests of the caller's users holds what the caller asked for and nothing else.
	self              = "testcluster"
	controllerManager = "kube-controller-manager"

	masters = "system:masters"
)

func newOptions(opts []Option) options {
	o := options{users: map[string][]string{
		self:              {masters},
		controllerManager: {masters},
		"admin":           {masters},
		"limited":         nil,
	}}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithUser adds a user who authenticates with a token and is a member of the groups.
func WithUser(name string, groups ...string) Option {
	return func(o *options) { o.users[name] = groups }
}

// WithControllerManager also runs the built-in controllers: garbage collection, replica sets, endpoints and
// so on. Those that would act on the absence of nodes are off, or Pods said to be on a node would be deleted
// after a while. The flags go to kube-controller-manager after the others and win over them.
//
// The roles "view", "edit" and "admin" allow nothing without them: a controller gathers their rules. Without
// controllers, bind "system:aggregate-to-view" and its like instead.
//
// The garbage collector learns of a new custom resource within thirty seconds, not at once.
func WithControllerManager(flags ...string) Option {
	return func(o *options) {
		o.controllers = true
		o.controllerFlags = append(o.controllerFlags, flags...)
	}
}

// WithAPIServerFlags gives flags to kube-apiserver after the others; they win over them.
func WithAPIServerFlags(flags ...string) Option {
	return func(o *options) { o.serverFlags = append(o.serverFlags, flags...) }
}
