import { expect, test } from 'vitest';
import { scenarioBody } from '../../../../src/contract/simulations.ts';
import { bodyProblem, changedFields, emptyScenario, fieldsOf, formOf } from './scenario-values.ts';

const stored = {
  id: 's',
  projectId: 'p',
  name: 'Support',
  description: null,
  datasetId: 'd',
  evaluators: ['tone'],
  referenceMatch: { mode: 'fuzzy' as const },
  newestRun: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test.each([
  {
    type: 'http' as const,
    url: 'https://a.example:8443/x',
    method: 'PUT' as const,
    headers: { authorization: '***', accept: 'a:b' },
    secrets: { token: '***' },
    body: { q: ['{{input}}'] },
    outputPath: '',
    timeoutMs: 5_000,
  },
  { type: 'prompt' as const, promptName: 'support/triage', label: 'latest', connection: 'Judges', model: 'small' },
  { type: 'prompt' as const, promptName: 'summary', label: 'production', connection: 'Judges' },
])('a stored $type target survives the form', (target) => {
  const fields = fieldsOf(formOf({ ...stored, target }));
  expect(fields.target).toEqual(target);
  expect(scenarioBody.safeParse(fields).success).toBe(true);
});

test('a body that is no JSON is told before it is sent', () => {
  expect(bodyProblem(emptyScenario)).toBeNull();
  expect(bodyProblem({ ...emptyScenario, body: '{' })).toMatch(/^Invalid JSON: /);
  expect(bodyProblem({ ...emptyScenario, body: '{', type: 'prompt' })).toBeNull();
});

test('only edited fields are sent', () => {
  const filled = formOf({ ...stored, target: { type: 'prompt', promptName: 'a', label: 'b', connection: 'c' } });
  expect(changedFields(filled, filled)).toEqual({});
  expect(changedFields({ ...filled, description: 'Why', label: 'latest' }, filled)).toEqual({
    description: 'Why',
    target: { type: 'prompt', promptName: 'a', label: 'latest', connection: 'c' },
  });
});
