import { expect, test } from 'vitest';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { foldedParameters } from './filter-of-parameters.ts';

test.each([
  [{ model: ['a', 'b c'], user: 'u' }, 'model:(a OR "b c") user:u'],
  [{ environment: '' }, '-environment:*'],
  [{ environment: ['', 'prod'] }, '(environment:prod OR -environment:*)'],
  [{ status: 'error', minLatency: '250', minCost: '0.5' }, 'status:error latency:>=250 cost:>=0.5'],
  [
    { metadata: ['region:eu', 'region:us', String.raw`a\:b:c`, 'tier'] },
    'metadata.region:(eu OR us) metadata."a:b":c metadata.tier:*',
  ],
  [{ evaluator: 'tone' }, 'scored:tone'],
  [{ evaluator: 'My tone', minScore: '-1', maxScore: '0.5', passed: 'false' }, 'score."My tone":-1..0.5 passed."My tone":false'],
  [{ evaluator: 'tone', maxScore: '0.5', unscoredBy: 'human review' }, 'score.tone:<=0.5 -scored:"human review"'],
  [{ promptName: 'triage', promptVersion: '3' }, 'any(prompt:triage promptVersion:3)'],
  [{ promptName: 'triage' }, 'prompt:triage'],
  [{ model: 'a', filter: 'user:u OR user:v' }, 'model:a (user:u OR user:v)'],
  [{ filter: 'user:u OR user:v' }, 'user:u OR user:v'],
])('%j is a filter', (search, filter) => {
  expect(foldedParameters(search)).toEqual({ filter });
  parseFilter(filter, { on: 'traces', nowMs: 0 });
});

test('what the language has no words for stays a parameter', () => {
  expect(foldedParameters({ q: 'x', simulated: '1', maxScore: '0.5', passed: 'false', model: 'a' })).toEqual({
    filter: 'model:a',
    q: 'x',
    simulated: '1',
    maxScore: '0.5',
    passed: 'false',
  });
  expect(foldedParameters({})).toEqual({});
});
