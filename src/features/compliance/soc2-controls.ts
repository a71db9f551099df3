import type { EvidenceType } from './evidence/evidence-sources.ts';

/** A control of a framework and the evidence that records of this service can give of it. */
export interface EvidencedControl {
  controlId: string;
  title: string;
  /** What records are evidence; none: the service holds nothing about the control. */
  sources: readonly EvidenceType[];
  /** `part`: the title names a part that no record of the service shows, so that records never evidence the whole control. */
  reach: 'whole' | 'part' | 'nothing';
}

const whole = (controlId: string, title: string, ...sources: EvidenceType[]): EvidencedControl => ({
  controlId,
  title,
  sources,
  reach: 'whole',
});
const part = (controlId: string, title: string, ...sources: EvidenceType[]): EvidencedControl => ({
  ...whole(controlId, title, ...sources),
  reach: 'part',
});
const nothing = (controlId: string, title: string): EvidencedControl => ({ controlId, title, sources: [], reach: 'nothing' });

/**
 * The common criteria of SOC 2 and those of its further categories that concern such a service, in the order of the Trust Services Criteria (AICPA, TSP
 * section 100). Ids are AICPA's; titles are our own words, not AICPA's text.
 */
export const soc2Controls: readonly EvidencedControl[] = [
  nothing('CC1.1', 'Integrity and ethical values'),
  nothing('CC1.2', 'Oversight by the board'),
  part('CC1.3', 'Reporting lines, authority and responsibility are defined', 'members', 'access_changes'),
  nothing('CC1.4', 'Competent people'),
  part('CC1.5', 'People are accountable for internal control', 'audit_log'),
  part('CC2.1', 'Relevant, reliable information supports internal control', 'monthly_events', 'evaluations'),
  part('CC2.2', 'Information about internal control reaches those inside who need it', 'deliveries'),
  nothing('CC2.3', 'Communication with parties outside'),
  nothing('CC3.1', 'Objectives are clear enough to assess risks'),
  part('CC3.2', 'Risks to objectives are identified and analysed', 'guardrail_results', 'lifecycle_findings'),
  nothing('CC3.3', 'The risk of fraud'),
  whole(
    'CC3.4',
    'Changes that could affect internal control are identified and assessed',
    'reported_changes',
    'policy_revisions',
    'lifecycle_findings',
  ),
  whole('CC4.1', 'Controls are evaluated continuously or separately', 'evaluators', 'evaluations', 'dataset_runs'),
  whole('CC4.2', 'Deficiencies are communicated in time to those who act on them', 'incidents', 'deliveries'),
  whole('CC5.1', 'Activities that control risks are in place', 'guardrails_in_force', 'guardrail_days'),
  part('CC5.2', 'General controls over technology are selected and developed', 'guardrails_in_force', 'alert_rules'),
  whole('CC5.3', 'Controls are deployed through policies and procedures', 'policy_changes', 'policy_revisions'),
  whole(
    'CC6.1',
    'Logical access to protected information is restricted',
    'members',
    'api_keys',
    'credential_changes',
    'sign_ins',
  ),
  // No record shows who authorised a user before it was added.
  part('CC6.2', 'Users are registered and authorised before they get credentials, and lose them in time', 'access_changes'),
  // No record shows that duties are separated.
  part('CC6.3', 'Access follows roles, least privilege and separation of duties', 'members', 'role_changes'),
  nothing('CC6.4', 'Physical access'),
  // No record shows assets other than data.
  part('CC6.5', 'Data and assets are disposed of', 'retention_deletions'),
  part('CC6.6', 'Threats from outside the system boundary are guarded against', 'failed_sign_ins', 'guardrail_days'),
  part(
    'CC6.7',
    'Transmission and removal of information are restricted to authorised parties',
    'connection_changes',
    'guardrail_results',
  ),
  nothing('CC6.8', 'Unauthorised and malicious software'),
  // No record shows vulnerabilities.
  part(
    'CC7.1',
    'Changes of configuration and new vulnerabilities are detected',
    'guardrail_changes',
    'policy_changes',
    'alert_rule_changes',
  ),
  whole('CC7.2', 'System components are monitored for anomalies', 'alert_rules', 'incidents'),
  whole('CC7.3', 'Security events are evaluated and acted upon', 'incidents', 'incident_actions'),
  // No record shows the procedure.
  part('CC7.4', 'Incidents are responded to by a defined procedure', 'incidents', 'incident_actions', 'fix_proposals'),
  part('CC7.5', 'Recovery from incidents is planned and carried out', 'incidents', 'backups'),
  // No record shows tests and approvals before a release.
  part(
    'CC8.1',
    'Changes are authorised, tested, approved and recorded',
    'reported_changes',
    'prompt_releases',
    'policy_changes',
    'evaluator_changes',
  ),
  nothing('CC9.1', 'Business disruption is mitigated'),
  // No record shows that vendors were assessed.
  part(
    'CC9.2',
    'Risks of vendors and business partners are assessed and managed',
    'models_called',
    'lifecycle_findings',
    'lifecycle_dismissals',
  ),
  part('A1.1', 'Capacity and use are monitored to meet demand', 'monthly_events'),
  part('A1.2', 'Recovery infrastructure and backups are operated and monitored', 'backups'),
  part(
    'C1.1',
    'Confidential information is identified and kept as long as it is needed',
    'guardrail_results',
    'retention_deletions',
  ),
  whole('C1.2', 'Confidential information is disposed of when its time is over', 'retention_deletions'),
  part('PI1.2', 'Inputs are complete, accurate and in time', 'monthly_events'),
  part('PI1.3', 'Processing is complete, accurate, in time and authorised', 'evaluations', 'dataset_runs'),
  part('PI1.4', 'Outputs are complete, accurate and given to authorised parties', 'evaluations', 'guardrail_days'),
];
