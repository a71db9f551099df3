import type { Service } from '../support/service.ts';
import { hostileName } from './special-traces.ts';
import { dayMs } from '../../src/contract/durations.ts';

/** Days from today to the retirement of called models, in place of the catalogue's dates, which come nearer. */
export const retirements = [
  { model: 'acme/llama-3.3-70b-support-ft', days: -3, replacement: 'gpt-4o-mini-2024-07-18' },
  { model: 'gemini-2.5-flash', days: 5, replacement: 'gpt-4o-mini' },
  { model: 'claude-sonnet-4-5-20250929', days: 24, replacement: 'claude-sonnet-5-5', source: 'https://example.com/retirements' },
  { model: 'gpt-4o-2024-08-06', days: 70, replacement: 'gpt-4o-mini-2024-07-18' },
  { model: 'text-embedding-3-small', days: 40 },
  // Far away: without a finding.
  { model: 'gpt-4o-mini-2024-07-18', days: 400 },
] as const;
const dismissedModel = 'text-embedding-3-small';

/** Reported changes: a deployment a few days ago, several on one day, and one with hostile texts. */
const changes = (nowMs: number) =>
  [
    { daysAgo: 6, kind: 'deploy', service: 'checkout', version: '2.4.0', environment: 'staging', actor: 'ci' },
    {
      daysAgo: 5,
      kind: 'deploy',
      version: '2.5.0',
      commitSha: '3f9c2d7a1b5e4c6f8a0d',
      environment: 'production',
      actor: 'ci',
      url: 'https://example.com/deploys/250',
      description: 'Shorter system prompts\nSee the release notes.',
      metadata: { pipeline: 981 },
    },
    { daysAgo: 5, kind: 'config', description: 'Raised the time-out of tools to 30 s', actor: 'Vera' },
    {
      daysAgo: 3,
      kind: 'model',
      service: 'checkout \u202E' + 'x'.repeat(200),
      description: `${hostileName}\n${'long '.repeat(200)}`,
      url: `https://example.com/${'long-'.repeat(60)}`,
    },
  ].map(({ daysAgo, ...change }) => ({ ...change, at: new Date(nowMs - daysAgo * dayMs).toISOString() }));

interface Signed {
  cookie: string;
  projectId: string;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Calls below `/v1/projects/{id}`; fails unless they succeed. */
export function callsOf(service: Service, { cookie, projectId }: Signed): Call {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${service.url}/v1/projects/${projectId}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
}

/** Reports changes, sets retirement dates, scans and dismisses a finding. @returns the id of the deployment in production */
export async function specialOperations(service: Service, signed: Signed, nowMs: number): Promise<{ change: string }> {
  const call = callsOf(service, signed);
  const made: Array<{ id: string; version: string | null }> = [];
  for (const change of changes(nowMs)) made.push(await call('POST', '/changes', change));
  for (const { model, days, ...fields } of retirements) {
    const retiresOn = new Date(nowMs + days * dayMs).toISOString().slice(0, 10);
    await call('PUT', `/model-lifecycle/catalogue/${encodeURIComponent(model)}`, { retiresOn, ...fields });
  }
  await call('POST', '/model-lifecycle/scan');
  const { findings } = await call<{ findings: Array<{ id: string; model: string }> }>('GET', '/model-lifecycle/findings');
  const dismissed = findings.find(({ model }) => model === dismissedModel);
  await call('POST', `/model-lifecycle/findings/${dismissed?.id}/dismiss`);
  return { change: made.find(({ version }) => version === '2.5.0')?.id ?? '' };
}

/** Prices of the project's own, which no recorded call has. */
const prices = [
  { model: 'acme/reranker-2', inputPerMillion: 0.05, outputPerMillion: 0 },
  { model: 'gpt-4o-2024-08-06', inputPerMillion: 2.25, outputPerMillion: 9, cachedInputPerMillion: 1.1, from: '2099-01-01' },
  { model: hostileName, inputPerMillion: 0.123456789, outputPerMillion: 1_000_000, cacheWritePerMillion: 3.75 },
];

/** Sets prices of the project's own. */
export async function specialPrices(service: Service, signed: Signed): Promise<void> {
  const call = callsOf(service, signed);
  for (const { model, ...price } of prices) await call('PUT', `/prices/${encodeURIComponent(model)}`, price);
}

/** Generates an evidence pack of the last 30 days. @returns its id */
export async function specialPack(service: Service, signed: Signed, nowMs: number): Promise<string> {
  const range = { from: new Date(nowMs - 30 * dayMs).toISOString(), to: new Date(nowMs - 1_000).toISOString() };
  const { id } = await callsOf(service, signed)<{ id: string }>('POST', '/evidence-packs', { framework: 'soc2', ...range });
  return id;
}
