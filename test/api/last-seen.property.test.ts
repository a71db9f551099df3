import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { runs } from '../support/runs.ts';
import { dayMs } from '../../src/contract/durations.ts';

// Spans that are sent again with another environment or time, and deleted traces, against a map of the spans that are left.

const nowMs = Date.UTC(2026, 10, 20, 10);
let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

const name = fc.constantFrom('', 'registered', 'other', 'another');
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ span: fc.nat(4), name, ageMs: fc.constantFrom(0, 1, 60_000, dayMs, 29 * dayMs, 31 * dayMs) }),
  },
  { weight: 1, arbitrary: fc.record({ deleted: fc.nat(4) }) },
);

test('the last span with a name is the newest of those that are left', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), async (rounds) => {
      const { projectId } = await service.project();
      const { key } = (await service.ownerAt('POST', `/v1/projects/${projectId}/api-keys`, { name: 'k' })).body;
      const at = `/v1/projects/${projectId}`;
      await service.ownerAt('POST', `${at}/environments`, { name: 'registered' });
      run += 1;
      const left = new Map<number, { name: string; startMs: number }>();
      for (const round of rounds) {
        const sent = round.flatMap((one) => ('span' in one ? [one] : []));
        const events = sent.map((one) => ({
          type: 'span',
          traceId: `t${run}-${one.span}`,
          spanId: 's',
          name: 'n',
          environment: one.name,
          startTime: new Date(nowMs - one.ageMs).toISOString(),
        }));
        if (events.length > 0) await service.ingest(key, events);
        for (const one of sent) left.set(one.span, { name: one.name, startMs: nowMs - one.ageMs });
        for (const one of round) {
          if (!('deleted' in one)) continue;
          await service.ownerAt('DELETE', `${at}/traces/t${run}-${one.deleted}`);
          left.delete(one.deleted);
        }
        const newest = new Map<string, number>();
        for (const { name: seen, startMs } of left.values()) newest.set(seen, Math.max(newest.get(seen) ?? 0, startMs));
        const { environments, unregistered } = (await service.ownerAt('GET', `${at}/environments`)).body;
        const timeOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
        expect(environments[0].lastSeenAt).toBe(timeOf(newest.get('registered')));
        const others = [...newest].filter(([seen, ms]) => seen !== '' && seen !== 'registered' && ms >= nowMs - 30 * dayMs);
        const ordered = others.toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
        expect(unregistered).toEqual(ordered.map(([seen, ms]) => ({ name: seen, lastSeenAt: timeOf(ms) })));
      }
    }),
    { numRuns: runs({ usual: 4, nightly: 10 }), endOnFailure: true },
  );
});
