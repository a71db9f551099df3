import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { otherProject } from '../../../platform/http/http-service.fixture.ts';
import { says } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import { by, byKey, byToken, path } from './fix-proposals-service.fixture.ts';
import type { FixProposalsService } from './fix-proposals-service.fixture.ts';
import { answer, basePrompt, openProposalScenes, usage } from './proposal-scenes.fixture.ts';
import type { ProposalScenes } from './proposal-scenes.fixture.ts';

let service: FixProposalsService;
let scenes: ProposalScenes;
beforeAll(async () => {
  scenes = await openProposalScenes();
  ({ service } = scenes);
});
afterAll(() => service.close());
beforeEach(() => {
  service.model.answers(says(answer, usage));
  service.faults.length = 0;
});

describe('the prompt', () => {
  test('is the one of most spans, in the version of most spans; only traces that used it are shown', async () => {
    const [rare, frequent] = [scenes.newName(), scenes.newName()];
    await service.prompt({ name: rare, prompt: basePrompt });
    for (const text of [basePrompt, `${basePrompt}\nTwo.`, `${basePrompt}\nThree.`])
      await service.prompt({ name: frequent, prompt: text });
    const traces = [
      await scenes.traceOf({ name: rare, version: 1 }),
      await scenes.traceOf(
        { name: frequent, version: 2 },
        { name: 'not stored', version: 1 },
        { name: 'not stored', version: 1 },
      ),
      await scenes.traceOf(
        { name: frequent, version: 2 },
        { name: frequent, version: 3 },
        { name: 'not stored', version: 1 },
        { name: 'not stored', version: 1 },
      ),
    ];
    const incidentId = service.incident([...traces, 'no such trace']);
    expect(await service.proposed(incidentId)).toMatchObject({ promptName: frequent, baseVersion: 2, traceIds: traces.slice(1) });
    expect(await service.proposed(incidentId, { promptName: rare })).toMatchObject({
      promptName: rare,
      baseVersion: 1,
      traceIds: traces.slice(0, 1),
    });
  });

  test('without a version on the spans is the one in production, else latest', async () => {
    const { name, incidentId } = await scenes.scene();
    await service.prompt({ name, prompt: `${basePrompt}\nTwo.` });
    const unversioned = service.incident([await scenes.traceOf({ name }), await scenes.traceOf({ name, version: 99 })]);
    expect(await service.proposed(unversioned)).toMatchObject({ baseVersion: 2, proposedVersion: 3 });
    // The proposal is newer and is passed by.
    expect(await service.proposed(unversioned)).toMatchObject({ baseVersion: 2, proposedVersion: 4 });
    await service.request(byKey, 'PATCH', `/v1/prompts/${encodeURIComponent(name)}/labels`, {
      version: 1,
      labels: ['production'],
    });
    expect(await service.proposed(unversioned)).toMatchObject({ baseVersion: 1 });
    expect(await service.proposed(incidentId)).toMatchObject({ baseVersion: 1 });
  });

  test('that is named need not be on the traces, which are then all shown', async () => {
    const { name } = await scenes.scene();
    const traceId = await scenes.traceOf();
    const incidentId = service.incident([traceId]);
    expect(await service.proposed(incidentId, { promptName: name })).toMatchObject({ status: 'completed', traceIds: [traceId] });
  });

  test('must exist', async () => {
    const { incidentId } = await scenes.scene();
    const without = service.incident([await scenes.traceOf({ name: 'not stored' })]);
    expect(await service.start(without)).toMatchObject({ status: 409, body: { code: 'no_prompt' } });
    expect(await service.start(service.incident([]))).toMatchObject({ status: 409, body: { code: 'no_prompt' } });
    const unknown = await service.start(incidentId, { promptName: 'no such prompt' });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path: '/promptName' }] } });
  });
});

describe('the model connection', () => {
  test('is named where there are several, and must exist', async () => {
    const { incidentId } = await scenes.scene();
    expect(await service.start(incidentId, { connection: 'second' })).toMatchObject({
      status: 400,
      body: { details: [{ path: '/connection' }] },
    });
    await service.connect('second');
    expect(await service.start(incidentId)).toMatchObject({ status: 409, body: { code: 'no_model_connection' } });
    expect(await service.proposed(incidentId, { connection: 'second' })).toMatchObject({ status: 'completed' });
    await service.disconnect('second');
  });

  test('that does not exist, or is deleted before the run, is told', async () => {
    const { incidentId } = await scenes.scene();
    const started = await service.start(incidentId);
    await service.disconnect('main');
    await service.runPending();
    const failed = await service.read(incidentId, started.body.id);
    expect(failed).toMatchObject({ status: 'failed', proposedVersion: null });
    expect(failed.error).toMatch(/^The model connection was deleted/);
    expect(await service.start(incidentId)).toMatchObject({ status: 409, body: { code: 'no_model_connection' } });
    await service.connect('main');
  });
});

describe('who may do what', () => {
  test('starting needs both permissions and a user; reading needs dashboard:read or the key', async () => {
    const { incidentId } = await scenes.scene();
    const start = async (headers: Record<string, string>) =>
      (await service.request(headers, 'POST', path(incidentId), {})).status;
    expect(await start({})).toBe(403);
    expect(await start(byKey)).toBe(403);
    for (const role of ['viewer', 'member']) expect(await start(by(role)), role).toBe(403);
    expect(await start(byToken('member'))).toBe(403);
    expect(await start(byToken('admin'))).toBe(202);
    await service.runPending();
    const read = async (headers: Record<string, string>, url: string) => (await service.request(headers, 'GET', url)).status;
    for (const headers of [by('viewer'), byKey]) expect(await read(headers, path(incidentId))).toBe(200);
    expect(await read({}, path(incidentId))).toBe(401);
    expect(await read(by('owner'), path(incidentId, otherProject))).toBe(403);
    expect(await read(byKey, path(incidentId, otherProject))).toBe(404);
  });

  test('an unknown incident or run is 404, before an invalid body is 400', async () => {
    const { incidentId } = await scenes.scene();
    const { body } = await service.start(incidentId);
    await service.runPending();
    expect(await service.start('no such incident', { nonsense: 1 })).toMatchObject({ status: 404 });
    expect((await service.request(by('owner'), 'POST', path('no such incident'), '{')).status).toBe(404);
    expect((await service.request(by('owner'), 'POST', path(incidentId), '{')).status).toBe(400);
    expect(await service.start(incidentId, { nonsense: 1 })).toMatchObject({ status: 400 });
    expect((await service.request(byKey, 'GET', `${path('no such incident')}?limit=0`)).status).toBe(404);
    expect((await service.request(byKey, 'GET', `${path(incidentId)}?limit=0`)).status).toBe(400);
    expect((await service.request(byKey, 'GET', `${path(incidentId)}/no-such-run`)).status).toBe(404);
    const other = await scenes.scene();
    expect((await service.request(byKey, 'GET', `${path(other.incidentId)}/${body.id}`)).status).toBe(404);
  });

  test('an incident has one proposal at a time, a project twenty; each is recorded in the audit log', async () => {
    const { name, incidentId, traceId } = await scenes.scene();
    const before = (await service.audited()).length;
    const first = await service.start(incidentId);
    expect(await service.start(incidentId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    for (let count = 2; count <= 20; count++) expect((await service.start(service.incident([traceId]))).status).toBe(202);
    const refused = await service.start(service.incident([traceId]));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    const audited = (await service.audited()).slice(before);
    expect(audited).toHaveLength(20);
    expect(audited[0]).toEqual({
      subject: first.body.id,
      actor_name: 'owner@example.com',
      detail: { name, incidentId, baseVersion: 1, connection: 'main' },
    });
    await service.runPending();
    expect(await service.start(incidentId)).toMatchObject({ status: 202 });
    await service.runPending();
  });

  test('a POST without a body is one with neither name', async () => {
    const { incidentId } = await scenes.scene();
    expect((await service.request(by('owner'), 'POST', path(incidentId))).status).toBe(202);
    await service.runPending();
  });
});
