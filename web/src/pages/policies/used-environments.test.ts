import { expect, test } from 'vitest';
import type { PlannedChange } from '../../api/policies.ts';
import { usedEnvironments } from './used-environments.ts';

const change = (
  kind: PlannedChange['kind'],
  name: string,
  action: PlannedChange['action'],
  paths: string[] = [],
): PlannedChange => ({
  kind,
  name,
  action,
  path: null,
  adopt: false,
  detached: false,
  fields: paths.map((path) => ({ path, before: null, after: null })),
});
const staging = { name: 'staging', attached: { guardrails: ['cards', 'keys'], alerts: ['Errors'], incidents: [] } };
const removal = change('Environment', 'staging', 'remove');

test('a removed environment is listed with what names it', () => {
  const unused = { name: 'unused', attached: { guardrails: [], alerts: [], incidents: [] } };
  const changes = [removal, change('Environment', 'unused', 'remove'), change('Guardrail', 'cards', 'update', ['/priority'])];
  expect(usedEnvironments(changes, [staging, unused])).toEqual([
    { name: 'staging', by: ['Guardrail cards', 'Guardrail keys', 'Alert Errors'] },
  ]);
  expect(usedEnvironments([change('Environment', 'staging', 'update')], [staging])).toEqual([]);
});

test('guardrails that the plan removes or limits to other environments do not count', () => {
  const moved = [change('Guardrail', 'cards', 'remove'), change('Guardrail', 'keys', 'update', ['/environments'])];
  expect(usedEnvironments([removal, ...moved], [staging])).toEqual([{ name: 'staging', by: ['Alert Errors'] }]);
  const free = { ...staging, attached: { ...staging.attached, alerts: [] } };
  expect(usedEnvironments([removal, ...moved], [free])).toEqual([]);
});
