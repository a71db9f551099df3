import { expect, test } from 'vitest';
import { changeTitle } from './change-words.ts';

const change = { kind: 'deploy', service: null, version: null, commitSha: null, description: null, source: 'api' } as const;

test.each([
  [{ service: 'checkout', version: '2.4.1' }, 'Deploy checkout 2.4.1'],
  [{ service: 'checkout', commitSha: '0123456789abcdef' }, 'Deploy checkout 01234567'],
  [{ version: '2.4.1', commitSha: '0123456789abcdef' }, 'Deploy 2.4.1'],
  [{ description: 'Raised the limit\nas asked' }, 'Raised the limit'],
  [{}, 'Deploy'],
  [
    { kind: 'config', source: 'automatic', description: 'Guardrail no-secrets changed', service: 'x' },
    'Guardrail no-secrets changed',
  ],
] as const)('%j is titled %s', (fields, title) => expect(changeTitle({ ...change, ...fields })).toBe(title));
