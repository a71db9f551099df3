import type { z } from 'zod';
import { policyList } from '../../src/contract/policies.ts';
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

/** The document of an environment. */
export const environmentPolicy = (name: string, description = ''): string => policy('Environment', name, { description });

/** The document of a guardrail with one pattern. */
export const regexPolicy = (name: string, pattern: string, more: object = {}): string =>
  policy('Guardrail', name, { type: 'regex', config: { patterns: [{ pattern }] }, ...more });

/** The list of a project's policies. */
export async function listOf(service: Pick<Governance, 'owner'>): Promise<z.output<typeof policyList>> {
  return policyList.strict().parse((await service.owner('GET', '/policies')).body);
}

/** The id of a policy by its name; empty where there is none. */
export async function idOf(service: Pick<Governance, 'owner'>, name: string): Promise<string> {
  return (await listOf(service)).policies.find((one) => one.name === name)?.id ?? '';
}

/** Leaves a project without policies. */
export async function clearPolicies(service: Pick<Governance, 'owner'>): Promise<void> {
  for (const { id, managedBy } of (await listOf(service)).policies) {
    if (managedBy === 'code') await service.owner('POST', `/policies/${id}/detach`);
  }
  for (const kind of ['guardrails', 'environments']) {
    for (const { id } of (await service.owner('GET', `/${kind}?limit=200`)).body[kind])
      await service.owner('DELETE', `/${kind}/${id}`);
  }
  await applied(service, []);
  const { policies } = await listOf(service);
  if (policies.length > 0) throw new Error(`${policies.length} policies could not be deleted`);
}
