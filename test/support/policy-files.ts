import type { PolicyFile } from '../../src/contract/policies.ts';
import type { Governance } from './governance.ts';

/** A policy document; JSON is YAML. */
export const policy = (kind: 'Environment' | 'Guardrail', name: string, spec: object = {}): string =>
  JSON.stringify({ apiVersion: 'spanwise/v1', kind, metadata: { name }, spec });

export const policyFile = (path: string, ...documents: string[]): PolicyFile => ({ path, content: documents.join('\n---\n') });

type Answer = Awaited<ReturnType<Governance['owner']>>;

/** Plans files; fails unless that succeeds. */
export async function planned(
  service: Pick<Governance, 'owner'>,
  files: readonly PolicyFile[],
  more: object = {},
): Promise<Answer['body']> {
  const { status, body } = await service.owner('POST', '/policies/plan', { files, ...more });
  if (status !== 200) throw new Error(`plan answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Plans files and applies the plan. */
export async function planAndApply(
  service: Pick<Governance, 'owner'>,
  files: readonly PolicyFile[],
  more: object = {},
): Promise<Answer> {
  const { planId } = await planned(service, files);
  return service.owner('POST', '/policies/apply', { planId, files, ...more });
}

/** As {@link planAndApply}; fails unless that succeeds. */
export async function applied(service: Pick<Governance, 'owner'>, files: readonly PolicyFile[]): Promise<Answer['body']> {
  const { status, body } = await planAndApply(service, files, { allowRemoval: true });
  if (status !== 200) throw new Error(`apply answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
