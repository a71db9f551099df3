import { expect, test } from 'vitest';
import { auditDetails } from '../../../../src/contract/audit.ts';
import { auditKinds } from './audit-search.ts';
import { appliedFiles, auditText, changedFields, revisionOf } from './audit-text.ts';

const subject = '019aa8a6-0000-7000-8000-000000000000';
const applied = {
  kind: 'policy.applied',
  subject: null,
  detail: {
    planId: subject,
    files: [{ path: 'a.yaml', sha256: 'ab' }, 'no file', { sha256: 'cd' }],
    summary: { create: 1, update: 0, remove: 2, none: 4 },
    revision: 12,
  },
};

test.each([
  ['policy.applied', applied.detail, 'Revision 12 · 1 created, 2 removed · 3 files'],
  [
    'policy.applied',
    { files: [], summary: { create: 0, update: 0, remove: 0, none: 1 }, revision: 3 },
    'Revision 3 · no changes · 0 files',
  ],
  ['policy.detached', { kind: 'Guardrail', name: 'no-cards', revision: 4 }, 'Guardrail no-cards'],
  ['environment.created', { name: 'production', revision: 1 }, 'production'],
  ['environment.updated', { name: 'production', revision: 2, changed: ['description'] }, 'production: description'],
  ['evaluator.updated', { slug: 'tone', enabled: false, changed: ['config', 'enabled'] }, 'tone: config, disabled'],
  ['evaluator.updated', { slug: 'tone', enabled: true, changed: ['enabled'] }, 'tone: enabled'],
  ['lifecycle.override_removed', { model: 'gpt-4', provider: null, retiresOn: '2026-12-01' }, 'gpt-4'],
  [
    'guardrail.updated',
    { slug: 'pii', type: 'pii', action: 'block', enabled: true, revision: 2, changed: ['action', 'config'] },
    'pii: action, config',
  ],
  ['guardrail.deleted', { slug: 'pii', type: 'pii', action: 'block', enabled: true, revision: 2 }, 'pii'],
  ['member.added', { email: 'ada@example.com', role: 'viewer' }, 'ada@example.com'],
  ['auth.login', { address: '127.0.0.1' }, '127.0.0.1'],
  ['retention.deleted', { before: '2026-01-01', tables: ['spans'] }, subject],
  ['policy.applied', {}, 'Revision 0 · no changes · 0 files'],
])('%s is told on one line', (kind, detail, text) => {
  expect(auditText({ kind, detail, subject })).toBe(text);
});

test('files and the revision of an apply are read from the detail', () => {
  expect(appliedFiles(applied)).toEqual([{ path: 'a.yaml', sha256: 'ab' }]);
  expect(appliedFiles({ ...applied, kind: 'guardrail.updated' })).toEqual([]);
  expect(revisionOf(applied)).toBe(12);
  expect(revisionOf({ ...applied, kind: 'api_key.created' })).toBeNull();
  expect(revisionOf({ ...applied, detail: {} })).toBeNull();
  expect(changedFields({ changed: [] })).toBeNull();
});

test('the filter offers every kind that is recorded', () => {
  expect(Object.keys(auditDetails).filter((kind) => !auditKinds.some((one) => one === kind))).toEqual([]);
});
