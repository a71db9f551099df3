import { expect, test } from 'vitest';
import { auditRequest, fromInput, localInput, readAuditSearch } from './audit-search.ts';

test('the filters are parsed from the URL; the expanded entry is not part of the request', () => {
  const search = readAuditSearch({
    kind: 'auth.login',
    actor: '',
    from: '2026-11-20T10:00:00Z',
    to: 'soon',
    entry: 'e',
    range: '7d',
  });
  expect(search).toEqual({ kind: 'auth.login', from: '2026-11-20T10:00:00.000Z', entry: 'e' });
  expect(auditRequest(search)).toEqual({ kind: 'auth.login', from: '2026-11-20T10:00:00.000Z' });
});

test("times are in the viewer's zone, and an end includes its minute", () => {
  const iso = fromInput('2026-11-20T10:00') ?? '';
  expect(localInput(iso)).toBe('2026-11-20T10:00');
  expect(Date.parse(fromInput('2026-11-20T10:00', true) ?? '') - Date.parse(iso)).toBe(59_999);
  expect([fromInput(''), localInput(undefined)]).toEqual([undefined, '']);
});
