import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { answerTimes, quantile } from '../probe/probe.ts';

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let service: Service;
let projectId: string;
let cookie: string;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  service = await startService({ dataDirectory: directory.path });
  ({ projectId, cookie } = await service.signIn());
});
afterAll(async () => {
  await service.stop();
  await directory.remove();
});

/** 1 MiB that JSON.parse takes long for. */
const texts = {
  names: `{${Array.from({ length: 90_000 }, (_, index) => `"n${(index * 7_919).toString(36)}":1`).join(',')}}`,
  levels: '['.repeat(500_000),
  objects: `[${'{},'.repeat(340_000)}{}]`,
};

async function flood(path: string, headers: Record<string, string>, body: string): Promise<number[]> {
  const send = async () => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const statuses: number[] = [];
  const one = async () => {
    for (let round = 0; round < 6; round++) statuses.push(await send());
  };
  await Promise.all([one(), one()]);
  return statuses;
}

test.each([
  ['/v1/auth/login', 413],
  ['/v1/auth/logout', 413],
  ['/mcp', 400],
  ['/v1/projects/:id/changes', 413],
  ['/v1/projects/:id/evaluators', 400],
  ['/v1/projects/:id/guardrails', 400],
  ['/v1/ingest/outcomes', 400],
] as const)('floods of JSON to %s stop nobody', async (template, status) => {
  const path = template.replace(':id', projectId);
  const isPublic = path.startsWith('/v1/auth');
  const isOfKey = path === '/mcp' || path.startsWith('/v1/ingest');
  const headers: Record<string, string> = isPublic ? {} : isOfKey ? { 'x-api-key': service.apiKey } : { cookie };
  const times = await answerTimes([`${service.url}/healthz`], async () => {
    for (const text of Object.values(texts)) {
      const statuses = new Set(await flood(path, headers, text));
      // The rate limits of a caller may answer first.
      // So may the size: one of the texts is a little over 1 MiB.
      expect([...statuses].filter((one) => ![429, 413, status].includes(one))).toEqual([]);
    }
  });
  // 0.3 s, and what the machine delays anybody meanwhile. Without limits it was 5 s.
  expect(quantile(times.service, 1)).toBeLessThan(300 + 3 * quantile(times.control, 1));
});
