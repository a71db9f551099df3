import type { EnvironmentAttachments } from '../../api/service.ts';

/** Something that names an environment. */
export interface Attachment {
  kind: 'guardrail' | 'alert' | 'incident';
  /** A slug, a name or an ID. */
  name: string;
}

/** Everything that names an environment: guardrails, then alerts, then incidents. */
export function attachmentsOf({ guardrails, alerts, incidents }: EnvironmentAttachments): Attachment[] {
  return [
    ...guardrails.map((name): Attachment => ({ kind: 'guardrail', name })),
    ...alerts.map((name): Attachment => ({ kind: 'alert', name })),
    ...incidents.map((name): Attachment => ({ kind: 'incident', name })),
  ];
}
