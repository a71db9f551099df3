import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { policy, policyFile } from '../support/policy-files.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

describe('validate', () => {
  const validate = (files: unknown) => service.owner('POST', '/policies/validate', { files });

  test('answers valid files', async () => {
    const files = [
      policyFile('environments.yaml', policy('Environment', 'production')),
      policyFile('guardrails/a.yml', policy('Guardrail', 'a', { type: 'pii', environments: ['production'] })),
      policyFile('tests/cases.yaml', 'no: policy'),
    ];
    expect(await validate(files)).toMatchObject({ status: 200, body: { valid: true, errors: [] } });
    expect(await validate([])).toMatchObject({ status: 200, body: { valid: true, errors: [] } });
  });

  test('knows the environments and connections of the project', async () => {
    await service.owner('POST', '/environments', { name: 'known' });
    await service.owner('POST', '/model-connections', { name: 'Judge', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' });
    const judge = (connection: string) => ({ type: 'llm_judge', config: { connection, instructions: 'x' } });
    const content = [
      policy('Guardrail', 'a', { type: 'pii', environments: ['known', 'unknown'] }),
      policy('Guardrail', 'b', judge('Judge')),
      policy('Guardrail', 'c', judge('Nobody')),
    ];
    const { body } = await validate([policyFile('a.yaml', ...content)]);
    expect(body.valid).toBe(false);
    const at = (line: number, text: string) => ({
      path: 'a.yaml',
      line,
      column: (content[(line - 1) / 2] ?? '').indexOf(text) + 1,
    });
    expect(body.errors).toEqual([
      { ...at(1, '"unknown"'), message: expect.stringContaining('"unknown"') },
      { ...at(5, '"Nobody"'), message: expect.stringContaining('"Nobody"') },
    ]);
  });

  test.each([
    ['a path without an ending', [policyFile('a')], 400],
    ['a path that leaves', [policyFile('../a.yaml')], 400],
    ['an absolute path', [policyFile('/a.yaml')], 400],
    ['a part of one dot', [policyFile('a/./b.yaml')], 400],
    ['an empty part', [policyFile('a//b.yaml')], 400],
    ['a long path', [policyFile(`${'a'.repeat(200)}.yaml`)], 400],
    ['a path that is there twice', [policyFile('a.yaml'), policyFile('a.yaml')], 400],
    ['no list', 'a', 400],
    ['another field', [{ ...policyFile('a.yaml'), mode: 1 }], 400],
    ['too many files', Array.from({ length: 201 }, (_, index) => policyFile(`${index}.yaml`)), 413],
    ['a large file', [policyFile('a.yaml', `#${'é'.repeat(131_072)}`)], 413],
    ['large files', Array.from({ length: 5 }, (_, index) => policyFile(`${index}.yaml`, `#${'x'.repeat(250_000)}`)), 413],
  ])('refuses %s', async (_what, files, status) => {
    const code = status === 413 ? 'payload_too_large' : 'invalid_request';
    expect(await validate(files)).toMatchObject({ status, body: { code } });
  });

  test('is for users', async () => {
    expect(await service.key('POST', '/policies/validate', { files: [] })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});
