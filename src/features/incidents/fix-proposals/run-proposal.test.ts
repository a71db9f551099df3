import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refuses, says } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import type { Answering } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import { byKey, path } from './fix-proposals-service.fixture.ts';
import type { FixProposalsService } from './fix-proposals-service.fixture.ts';
import { answer, basePrompt, openProposalScenes, revised, usage } from './proposal-scenes.fixture.ts';
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

const asked = () => service.model.requests[0]?.body.messages ?? [];

/** The model holds its next answer back. */
function holdsAnswer(): { arrived: Promise<void>; reply(): void } {
  let release = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    service.model.answers((response, request) => {
      release = () => says(answer)(response, request);
      resolve();
    });
  });
  return { arrived, reply: () => release() };
}

describe('a completed proposal', () => {
  test('is a version without labels, with a rationale, a diff and the cost', async () => {
    const { name, incidentId, traceId } = await scenes.scene({ labels: ['production'] });
    const started = await service.start(incidentId);
    expect([started.status, started.body]).toEqual([202, { id: expect.any(String), status: 'queued' }]);
    const queued = await service.read(incidentId, started.body.id);
    expect(queued).toMatchObject({
      status: 'queued',
      proposedVersion: null,
      diff: [],
      rationale: null,
      error: null,
      completedAt: null,
    });
    await service.runPending();
    expect(await service.read(incidentId, started.body.id)).toEqual({
      id: started.body.id,
      incidentId,
      status: 'completed',
      promptName: name,
      baseVersion: 1,
      proposedVersion: 2,
      diff: [
        { op: 'equal', text: 'You answer questions.' },
        { op: 'remove', text: 'Be brief.' },
        { op: 'add', text: 'Be brief. Cite the source.' },
        { op: 'equal', text: '{{question}}' },
      ],
      rationale: 'The answers had no source.',
      traceIds: [traceId],
      costUsd: 0.0035,
      error: null,
      createdAt: '2026-11-23T10:00:00.000Z',
      completedAt: '2026-11-23T10:00:00.000Z',
    });
    expect(await scenes.versionOf(name, '&version=2')).toMatchObject({
      prompt: revised,
      labels: [],
      proposal: true,
      createdBy: 'owner@example.com',
      commitMessage: `Fix proposal for the incident of Answers (${incidentId})\nThe mean score is 0.2.`,
    });
    expect(await scenes.versionOf(name)).toMatchObject({ version: 1, labels: ['latest', 'production'] });
    expect(service.faults).toEqual([]);
  });

  test('of a chat prompt has messages, and keeps the other fields of the base', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.', cache: true },
      { role: 'user', content: '{{question}}' },
    ];
    const { name, incidentId } = await scenes.scene({ type: 'chat', prompt: messages });
    const changed = [
      { role: 'system', content: 'Be brief.\nBe exact.' },
      { role: 'user', content: '{{question}}' },
    ];
    service.model.answers(says({ rationale: 'It was vague.', prompt: changed }));
    const proposal = await service.proposed(incidentId);
    expect(proposal).toMatchObject({ status: 'completed', proposedVersion: 2 });
    expect(proposal.diff).toEqual([
      { op: 'equal', text: 'system:' },
      { op: 'equal', text: 'Be brief.' },
      { op: 'add', text: 'Be exact.' },
      { op: 'equal', text: 'user:' },
      { op: 'equal', text: '{{question}}' },
    ]);
    const stored = await scenes.versionOf(name, '&version=2');
    expect([stored.type, JSON.parse(stored.prompt)]).toEqual([
      'chat',
      [{ ...messages[0], content: 'Be brief.\nBe exact.' }, messages[1]],
    ]);
  });

  test('names in the commit message a variable that it leaves out', async () => {
    const { name, incidentId } = await scenes.scene();
    service.model.answers(says({ ...answer, prompt: 'You answer questions.' }));
    expect((await service.proposed(incidentId)).status).toBe('completed');
    expect((await scenes.versionOf(name, '&version=2')).commitMessage).toContain('It leaves out {{question}}.');
  });

  test('is followed by another one, and both are listed, newest first', async () => {
    const { incidentId } = await scenes.scene();
    const first = await service.proposed(incidentId);
    service.clock.advance(1_000);
    const second = await service.proposed(incidentId);
    expect(second).toMatchObject({ status: 'completed', baseVersion: 1, proposedVersion: 3 });
    const list = await service.request(byKey, 'GET', path(incidentId));
    expect(list.body).toEqual({ fixProposals: [second, first], nextCursor: null });
    const page = await service.request(byKey, 'GET', `${path(incidentId)}?limit=1`);
    expect(page.body.fixProposals).toEqual([second]);
    const next = await service.request(byKey, 'GET', `${path(incidentId)}?limit=1&cursor=${page.body.nextCursor}`);
    expect(next.body).toEqual({ fixProposals: [first], nextCursor: null });
    service.clock.advance(-1_000);
  });
});

describe('what the model is asked', () => {
  test('stands between markers: the prompt, the incident, and of each trace payloads, errors and scores', async () => {
    const { name, incidentId, traceId } = await scenes.scene();
    await service.store({
      spans: [
        {
          traceId,
          spanId: 'bad',
          parentSpanId: 's0',
          name: 'search',
          status: 'error',
          errorCode: 'timeout',
          errorMessage: 'Too slow.',
        },
        { traceId, spanId: 'good', parentSpanId: 's0', name: 'unrelated', output: '"never shown"' },
      ],
      scores: [{ traceId, scoreId: 'a score', evaluator: 'correct', score: 0, passed: false, comment: 'It is wrong.' }],
    });
    await service.proposed(incidentId);
    const [system, user] = asked();
    const marker = /<prompt ([0-9a-f]{24})>/.exec(user?.content ?? '')?.[1];
    expect(user?.content).toContain(`<prompt ${marker}>\n${basePrompt}\n</prompt ${marker}>`);
    expect(user?.content).toContain(
      'rule: Answers\ntype: quality\nsummary: The mean score is 0.2.\nvalue: 0.2\nthreshold: 0.8\n</incident',
    );
    expect(user?.content).toContain(
      `<trace_1 ${marker}>\nscore of correct: 0, failed: It is wrong.\nfailed span search\nerror: timeout: Too slow.`,
    );
    expect(user?.content).toContain(`prompt call answer\ninput: "What is it?"\noutput: "Output of ${traceId}"`);
    expect(user?.content).not.toContain('never shown');
    expect(system?.content).toContain(marker);
    expect(system?.content).not.toContain(name);
    expect(service.model.requests[0]?.body.response_format?.type).toBe('json_schema');
  });

  test('is bounded, whatever the traces hold', async () => {
    const { name } = await scenes.scene();
    const traceIds = Array.from({ length: 25 }, (_, index) => `large-${index}`);
    await service.store({
      spans: traceIds.map((traceId) => ({
        traceId,
        promptName: name,
        input: JSON.stringify('i'.repeat(50_000)),
        output: JSON.stringify('o'.repeat(50_000)),
      })),
    });
    const proposal = await service.proposed(service.incident(traceIds));
    expect(proposal).toMatchObject({ status: 'completed', traceIds: traceIds.slice(0, 20) });
    expect(asked()[1]?.content.length).toBeLessThan(125_000);
    expect(asked()[1]?.content).toContain('<trace_20 ');
  });
});

describe('a failed proposal', () => {
  const cases: ReadonlyArray<[what: string, answering: Answering, error: RegExp]> = [
    ['nonsense', says('I would rather not.'), /did not answer with a JSON object/],
    ['another object', says({ verdict: 'good' }), /without a rationale/],
    ['a new variable', says({ ...answer, prompt: `${basePrompt} {{ tone }}` }), /variables that version 1 does not have/],
    ['a reference that was not there', says({ ...answer, prompt: `${basePrompt} {{> secrets }}` }), /references that version 1/],
    ['a refused request', refuses(401), /key/],
  ];
  test.each(cases)('stores nothing and says why: %s', async (_what, answering, error) => {
    const { name, incidentId } = await scenes.scene();
    service.model.answers(answering);
    const proposal = await service.proposed(incidentId);
    expect(proposal).toMatchObject({ status: 'failed', proposedVersion: null, diff: [], rationale: null });
    expect(proposal.error).toMatch(error);
    expect(proposal.error).toMatch(/^[A-Z][^\n]*\.$/);
    expect(await scenes.countOf(name)).toBe(1);
    expect(service.model.requests).toHaveLength(1);
    expect(service.faults).toEqual([]);
  });

  test('costs what the unusable answer cost', async () => {
    const { incidentId } = await scenes.scene();
    service.model.answers(says({ ...answer, prompt: basePrompt }, usage));
    expect(await service.proposed(incidentId)).toMatchObject({ status: 'failed', costUsd: 0.0035 });
  });

  test('of a prompt that was deleted or is too large', async () => {
    const { name, incidentId } = await scenes.scene();
    const started = await service.start(incidentId);
    await service.request(byKey, 'DELETE', `/v1/prompts/${encodeURIComponent(name)}`);
    // Another prompt of the same name is not the one that was asked about.
    await service.prompt({ name, prompt: 'Another.' });
    await service.runPending();
    expect((await service.read(incidentId, started.body.id)).error).toMatch(/^The prompt was deleted/);
    const large = await scenes.scene({ prompt: 'x'.repeat(100_001) });
    expect((await service.proposed(large.incidentId)).error).toMatch(/more than 100000 characters/);
    expect(service.model.requests).toEqual([]);
  });
});

describe('a run', () => {
  test('is repeated while the server of the model is down', async () => {
    const { name, incidentId } = await scenes.scene();
    // A run makes three attempts.
    service.model.answers(refuses(503), refuses(503), refuses(503), says(answer));
    const { id, status, error } = await service.proposed(incidentId);
    expect([status, error]).toEqual(['queued', expect.stringMatching(/503/)]);
    expect(await service.runPending()).toBe(0);
    service.clock.advance(10_000);
    expect(await service.runPending()).toBe(1);
    expect(await service.read(incidentId, id)).toMatchObject({ status: 'completed', error: null });
    expect(await scenes.countOf(name)).toBe(2);
  });

  test('fails after five attempts', async () => {
    const { name, incidentId } = await scenes.scene();
    service.model.answers(refuses(503));
    const { id } = await service.proposed(incidentId);
    for (let attempt = 2; attempt <= 5; attempt++) {
      service.clock.advance(600_000);
      await service.runPending();
    }
    expect(await service.read(incidentId, id)).toMatchObject({ status: 'failed', proposedVersion: null });
    expect(await scenes.countOf(name)).toBe(1);
  });

  test('whose process dies is run by another one, and the first stores nothing when it comes back', async () => {
    const { name, incidentId } = await scenes.scene();
    const { reply, arrived } = holdsAnswer();
    const { id } = (await service.start(incidentId)).body;
    const lost = service.runPending();
    await arrived;
    expect((await service.read(incidentId, id)).status).toBe('running');
    service.clock.advance(91_000);
    service.model.answers(says({ ...answer, rationale: 'By the second process.' }));
    const second = service.process();
    expect(await second.runPending()).toBe(1);
    const completed = await service.read(incidentId, id);
    expect(completed).toMatchObject({ status: 'completed', rationale: 'By the second process.', proposedVersion: 2 });
    reply();
    await lost;
    expect(await service.read(incidentId, id)).toEqual(completed);
    expect(await scenes.countOf(name)).toBe(2);
    expect(service.faults).toEqual([]);
    await second.close?.();
  });

  test('of a database whose only process died is run again at the start of the next', async () => {
    const { name, incidentId } = await scenes.scene();
    const { reply, arrived } = holdsAnswer();
    const { id } = (await service.start(incidentId)).body;
    const lost = service.runPending();
    await arrived;
    service.model.answers(says(answer));
    const next = service.process();
    next.startWorkers?.();
    await expect.poll(async () => (await service.read(incidentId, id)).status, { timeout: 30_000 }).toBe('completed');
    await next.close?.();
    reply();
    await lost;
    expect(await scenes.countOf(name)).toBe(2);
  });
});
