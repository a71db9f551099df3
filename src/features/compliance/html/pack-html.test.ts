import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { dayMs, nowMs, openComplianceService } from '../compliance-service.fixture.ts';
import type { ComplianceService } from '../compliance-service.fixture.ts';
import { escapeText } from './escape-text.ts';

let service: ComplianceService;
let project: TestProject;
let html: string;
let headers: Headers;

const hostile = `</style><script>alert(1)</script><img src=x onerror=alert(1)> " onload="x' &amp; \u202egnp.exe \u0007`;

beforeAll(async () => {
  service = await openComplianceService();
  project = await service.project();
  const added = { kind: 'member.added', detail: { email: hostile, role: 'viewer' }, subject: hostile } as const;
  await service.audit(project, nowMs - dayMs, added, { ...added, actor: { type: 'api_key', id: hostile, name: hostile } });
  const { id } = await service.pack(project);
  const answer = await service.as('member', project, 'GET', `/${id}/download?format=html`);
  html = answer.text;
  ({ headers } = answer);
});
afterAll(() => service.close());

test('is a file that runs and loads nothing', () => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="spanwise-evidence-soc2-[0-9a-f-]{36}\.html"$/);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`);
  const tags = new Set([...html.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag));
  expect([...tags].filter((tag) => ['script', 'img', 'link', 'iframe', 'object', 'svg', 'form'].includes(tag ?? ''))).toEqual([]);
  const opened = [...html.matchAll(/<[a-z][^>]*>/g)].flatMap(([tag]) => [...tag.matchAll(/\s([a-z-]+)=/g)]);
  const attributes = new Set(opened.map(([, name]) => name));
  expect([...attributes].filter((name) => name === 'src' || name?.startsWith('on'))).toEqual([]);
  const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
  expect(targets).not.toEqual([]);
  for (const target of targets) expect(target).toMatch(/^#/);
});

test('shows hostile text as text', () => {
  expect(html).toContain(escapeText(hostile));
  expect(html).not.toContain(hostile);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
  expect(escapeText(hostile)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(escapeText(hostile)).toContain('&amp;amp; [U+202E]gnp.exe [U+0007]');
  expect(escapeText('\ud800')).toBe('\ufffd');
});

test('lists every control, and the records of a population once', async () => {
  const { body } = await service.as('member', project, 'GET', '?limit=1');
  for (const { controlId } of body.evidencePacks[0].controls) expect(html).toContain(controlId);
  const headings = [...html.matchAll(/<h4>(\w+): 2 records/g)].map(([, type]) => type);
  expect(headings.filter((type) => type === 'access_changes')).toHaveLength(2);
  expect(html.match(/The records are listed under <a href="#CC1\.3">CC1\.3<\/a>/g)).toHaveLength(1);
});
