package facts

import (
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

func (k *kind) schema() {
	f := &k.facts.Schema
	if k.crd.DiscoveryOnly {
		k.facts.Unseen["schema"] = "customresourcedefinitions could not be listed: known from discovery alone"
		return
	}
	f.Bytes = k.crd.Bytes
	v := k.storage()
	if v == nil {
		return
	}
	s := &v.Schema
	f.Present, f.Opaque = s.Present, s.Opaque || !s.Present || k.crd.PreserveUnknownFields
	f.HasSpec, f.SpecOpaque, f.SpecLeaves, f.SpecDescribed, f.Constraints = s.HasSpec, s.SpecOpaque, s.SpecLeaves, s.SpecDescribed, s.Constraints
	f.HasStatus, f.StatusOpaque, f.StatusSubresource = s.HasStatus, s.StatusOpaque, v.StatusSubresource
	if s.Conditions != nil {
		f.HasConditions, f.ConditionsListMap, f.ConditionsRequired = true, s.Conditions.ListMap, s.Conditions.Required
	}
	f.PhaseField, f.PhaseEnum, f.ObservedGeneration = s.PhaseField, s.PhaseEnum, s.ObservedGeneration
	if v.Scale != nil {
		f.HasScale, f.ScaleValid = true, v.Scale.Valid
	}
	f.PrinterColumns = len(v.PrinterColumns)
	for _, c := range v.PrinterColumns {
		if strings.HasPrefix(strings.TrimPrefix(c.JSONPath, "."), "status") {
			f.StatusColumns++
		}
	}
	for _, phase := range s.PhaseEnum {
		if upgradeWord.MatchString(phase) {
			f.UpgradePhases = append(f.UpgradePhases, phase)
		}
		if changing(phase) {
			f.ChangePhases = append(f.ChangePhases, phase)
		}
	}
	for topic, list := range f.topics() {
		*list = s.Fields[topic]
	}
}

// topics are where the field paths of each topic go.
func (f *Schema) topics() map[inventory.Topic]*[]string {
	return map[inventory.Topic]*[]string{
		inventory.TopicVersion: &f.VersionFields, inventory.TopicImage: &f.ImageFields, inventory.TopicBackup: &f.BackupFields,
		inventory.TopicRestore: &f.RestoreFields, inventory.TopicReplicas: &f.ReplicaFields, inventory.TopicAutoscale: &f.AutoscaleFields,
		inventory.TopicMonitoring: &f.MonitoringFields, inventory.TopicAlerts: &f.AlertFields, inventory.TopicDisruption: &f.DisruptionFields,
		inventory.TopicStrategy: &f.StrategyFields, inventory.TopicStorage: &f.StorageFields, inventory.TopicHeal: &f.HealFields,
		inventory.TopicTune: &f.TuneFields, inventory.TopicPause: &f.PauseFields, inventory.TopicResources: &f.ResourceFields,
		inventory.TopicLiveness: &f.LivenessFields, inventory.TopicReadiness: &f.ReadinessFields, inventory.TopicSpread: &f.SpreadFields,
		inventory.TopicReference: &f.ReferenceFields, inventory.TopicStatusVersion: &f.StatusVersionFields,
		inventory.TopicStatusRole: &f.StatusRoleFields, inventory.TopicStatusBackup: &f.StatusBackupFields,
		inventory.TopicStatusReplicas: &f.StatusReplicaFields, inventory.TopicStatusHeal: &f.StatusHealFields,
	}
}
