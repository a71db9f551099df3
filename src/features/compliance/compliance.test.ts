import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameworkList } from '../../contract/compliance.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { HttpService } from '../../platform/http/http-service.fixture.ts';
import { complianceRoutes } from './routes.ts';

let service: HttpService;
beforeAll(async () => {
  service = await openHttpService(complianceRoutes);
});
afterAll(() => service.close());

const list = (headers: Record<string, string>) => service.request('/v1/compliance/frameworks', { headers });

it('lists SOC 2 with exactly the published fields', async () => {
  const { status, body } = await list({ cookie: 'spanwise_session=member' });
  expect(status).toBe(200);
  const strict = frameworkList.strict().safeParse(body);
  expect(strict.error).toBeUndefined();
  expect(body.frameworks).toHaveLength(1);
  const [soc2] = body.frameworks;
  expect(Object.keys(soc2).toSorted()).toEqual(['controls', 'id', 'label', 'name', 'reviewedBy', 'reviewedOn']);
  expect(soc2.id).toBe('soc2');
  expect(soc2.reviewedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(soc2.reviewedBy).toMatch(/engineering/);
  expect(soc2.reviewedBy).toMatch(/not by a licensed auditor/);
});

it('names each control once, by the ids of the Trust Services Criteria', async () => {
  const { body } = await list({ cookie: 'spanwise_session=owner' });
  const controls = body.frameworks[0].controls as Array<{ controlId: string; title: string }>;
  expect(new Set(controls.map(({ controlId }) => controlId)).size).toBe(controls.length);
  for (const { controlId, title, ...more } of controls) {
    expect(controlId).toMatch(/^(CC[1-9]\.\d|A1\.[1-3]|C1\.[12]|PI1\.[1-5])$/);
    expect(title).not.toBe('');
    expect(more).toEqual({});
  }
  for (const family of ['CC6.', 'CC7.', 'CC8.', 'A1.', 'C1.', 'PI1.'])
    expect(
      controls.some(({ controlId }) => controlId.startsWith(family)),
      family,
    ).toBe(true);
});

it('needs a session with compliance:read: 403 for a viewer, a key and without credentials', async () => {
  for (const headers of [
    {},
    { 'x-api-key': 'spw_good' },
    { cookie: 'spanwise_session=viewer' },
    { cookie: 'spanwise_session=none' },
  ] as Array<Record<string, string>>) {
    const { status, body } = await list(headers);
    expect([status, body.code]).toEqual([403, 'forbidden']);
  }
});
