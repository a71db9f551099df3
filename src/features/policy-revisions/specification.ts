import type { Selectable } from 'kysely';
import type { GuardrailTypeName } from '../../contract/guardrails.ts';
import type { PolicyKind } from '../../contract/policies.ts';
import type { PolicyTables } from './tables.ts';

export interface EnvironmentSpec {
  description: string;
}

export interface GuardrailSpec {
  displayName: string;
  type: GuardrailTypeName;
  stage: 'input' | 'output' | 'both';
  action: 'block' | 'redact' | 'flag';
  config: unknown;
  environments: string[] | null;
  priority: number;
  enabled: boolean;
  onError: 'allow' | 'block';
}

/** An environment or guardrail as policy-as-code writes it: every field of its `spec`, defaults filled in. */
export type Specification =
  | { kind: 'Environment'; name: string; spec: EnvironmentSpec }
  | {
      kind: 'Guardrail';
      name: string;
      spec: GuardrailSpec;
      /** States of the compiled configuration, as the engine measures them; 0 by default. */
      compiledSize?: number;
    };

export function specificationOfEnvironment({
  name,
  description,
}: Pick<Selectable<PolicyTables['environments']>, 'name' | 'description'>): Specification & { kind: 'Environment' } {
  return { kind: 'Environment', name, spec: { description } };
}

export function specificationOfGuardrail(row: Selectable<PolicyTables['guardrails']>): Specification & { kind: 'Guardrail' } {
  const { slug, name, type, stage, action, config, environments, priority, enabled, on_error, compiled_size: compiledSize } = row;
  const spec = { displayName: name, type, stage, action, config: JSON.parse(config) as unknown, environments, priority, enabled };
  return { kind: 'Guardrail', name: slug, spec: { ...spec, onError: on_error }, compiledSize };
}

/** An environment or guardrail at a revision; `policy_contents` has its specification. */
export interface RecordedPolicy {
  kind: PolicyKind;
  name: string;
  managedBy: 'dashboard' | 'code';
  detached: boolean;
  path: string | null;
  /** Of the JSON of its `spec`, hexadecimal. */
  sha256: string;
}
