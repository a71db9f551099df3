import { expect, test } from 'vitest';
import type { Specification } from '../../policy-revisions/index.ts';
import { Replays } from './replay-plan.ts';

const large = (name: string): Specification => ({
  kind: 'Guardrail',
  name,
  spec: {
    displayName: name,
    type: 'regex',
    stage: 'input',
    action: 'block',
    config: { patterns: Array.from({ length: 50 }, (_, index) => ({ pattern: `${name}${index}(a|b|c){0,200}` })) },
    environments: null,
    priority: 100,
    enabled: true,
    onError: 'block',
  },
});

test('guardrails that take more memory than a replay has end it', async () => {
  const replays = new Replays({ maxMemoryMb: 24 });
  const unread = {
    forTenant: () => {
      throw new Error('the guardrails fit into the memory');
    },
  };
  const context = { clickhouse: unread, clock: { now: () => Date.now() } } as unknown as Parameters<Replays['replay']>[0];
  const after = Array.from({ length: 20 }, (_, index) => large(`large${index}x`));
  const replay = await replays.replay(
    context,
    { organizationId: 'o', projectId: 'p', plan: 'scale' },
    { before: [], after },
    { hours: 1, startedMs: Date.now() },
  );
  expect(replay).toMatchObject({ truncated: true, spans: 0, totals: { blockedBefore: 0, blockedAfter: 0 } });
  await replays.close();
});
