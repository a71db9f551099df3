import { expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { listKinds } from './list-kinds.ts';
import type { OutcomesContext } from './outcomes-context.ts';

test('the kinds of a project are one query', async () => {
  const asked: string[] = [];
  const query = (text: string) => {
    asked.push(text);
    return Promise.resolve([]);
  };
  const context = { clickhouse: { forTenant: () => ({ query }) }, clock: new ManualClock(Date.UTC(2026, 10, 20)) };
  const tenant: Tenant = { projectId: 'p', organizationId: 'o', plan: 'free' };
  expect(await listKinds(context as unknown as OutcomesContext, tenant, {})).toEqual({ kinds: [] });
  expect(asked).toEqual([expect.stringMatching(/FROM outcomes FINAL/)]);
});
