import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { openSelections, startMs } from './selection-requests.ts';
import type { Selections } from './selection-requests.ts';

let selections: Selections;
let app: TestApp;
const ask: Selections['ask'] = (...asked) => selections.ask(...asked);
const select: Selections['select'] = (...asked) => selections.select(...asked);
const done: Selections['done'] = (...asked) => selections.done(...asked);
const sendTraces: Selections['sendTraces'] = (...sent) => selections.sendTraces(...sent);

beforeAll(async () => {
  selections = await openSelections();
  ({ app } = selections);
});
afterAll(() => app.close());

describe('tags of traces', () => {
  const tagsNow = async (id: string) => (await ask('GET', `/traces/${id}`)).body.trace.tags as string[];
  const listed = async (filter: string, on = 'traces') => {
    const found = await ask('GET', `/${on}?limit=200&filter=${encodeURIComponent(filter)}`);
    return (found.body[on] as Array<{ traceId: string; spanId?: string }>).map(({ traceId, spanId }) => spanId ?? traceId);
  };
  /** Every read of the tags of a trace of its own user. */
  const everywhere = async (id: string, user: string) => {
    const [byParameter, facet] = await Promise.all([
      ask('GET', `/traces?user=${user}`),
      ask('GET', `/facets?on=traces&field=tag&filter=${encodeURIComponent(`user:${user}`)}`),
    ]);
    const tags = await tagsNow(id);
    expect(byParameter.body.traces).toMatchObject([{ traceId: id, tags }]);
    expect(facet.body.facets[0].values.map(({ value }: { value: string }) => value).toSorted()).toEqual(tags.toSorted());
    for (const tag of tags) {
      expect(await listed(`user:${user} tag:${tag}`)).toEqual([id]);
      expect((await ask('GET', `/traces?user=${user}&tag=${tag}`)).body.traces).toHaveLength(1);
    }
    return tags;
  };

  test('are added and removed, and stay when the trace is sent again', async () => {
    const time = new Date(startMs).toISOString();
    const root = {
      type: 'span',
      traceId: 'tagged',
      spanId: 'root',
      name: 'n',
      startTime: time,
      userId: 'tagger',
      tags: ['sent', 'unwanted'],
    };
    const child = { ...root, spanId: 'child', parentSpanId: 'root', tags: [] };
    await app.send([root, child]);
    const change = async (type: string, tags: string[]) => {
      const record = await done({ on: 'traces', ids: ['tagged'], action: { type, tags } }, 'member');
      expect(record).toMatchObject({ type, status: 'completed', done: 1, failed: 0 });
    };
    await change('addTags', ['gold', 'sent', 'later']);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'unwanted', 'gold', 'later']);
    await change('removeTags', ['unwanted', 'later', 'none']);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'gold']);
    expect(await listed('user:tagger tag:unwanted')).toEqual([]);
    // A span without tags has those of its trace.
    expect(await listed('trace:tagged tag:gold', 'spans')).toEqual(['child']);
    app.clock.advance(5_000);
    await app.send([{ ...root, tags: ['sent', 'unwanted', 'new'] }, child, { ...child, spanId: 'second' }]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'new', 'gold']);
    await change('addTags', ['unwanted']);
    await app.send([{ type: 'trace', traceId: 'tagged', name: 'n', tags: ['record'] }]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['record', 'sent', 'unwanted', 'new', 'gold']);
    // What was deleted has no tags of its past when it is sent again.
    await done({ on: 'traces', ids: ['tagged'], action: { type: 'delete' } });
    app.clock.advance(5_000);
    await app.send([root]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'unwanted']);
  });

  test('a trace that is none fails, and so does one with 200 tags', async () => {
    const [id = ''] = await sendTraces(1);
    for (let at = 0; at < 4; at++) {
      const tags = Array.from({ length: 50 }, (_, index) => `tag-${at}-${index}`);
      expect(await done({ on: 'traces', ids: [id], action: { type: 'addTags', tags } })).toMatchObject({ done: 1 });
    }
    const record = await done({ on: 'traces', ids: [id, 'missing'], action: { type: 'addTags', tags: ['one more'] } });
    expect(record).toMatchObject({ done: 0, failed: 2 });
    expect(record.errors).toContainEqual({ id, error: 'A trace has at most 200 tags; remove some first.' });
    expect(record.errors).toContainEqual({ id: 'missing', error: 'There is no such trace.' });
    expect(await tagsNow(id)).toHaveLength(200);
  });

  test.each([[[]], [['']], [['x'.repeat(101)]], [Array.from({ length: 51 }, (_, index) => `t${index}`)], [['a\0b']]])(
    '%j are refused',
    async (tags) => {
      const answer = await select({ on: 'traces', ids: ['a'], action: { type: 'addTags', tags } });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('spans have none of their own to change, and a viewer may not', async () => {
    const action = { type: 'addTags', tags: ['a'] };
    expect((await select({ on: 'spans', filter: '', action })).status).toBe(400);
    expect((await select({ on: 'traces', filter: '', action }, 'viewer')).status).toBe(403);
  });

  test('of a partly expired trace are those of what is left, as they were changed', async () => {
    const before = app.clock.now();
    const early = new Date(before - 360 * 86_400_000).toISOString();
    const late = new Date(before).toISOString();
    const span = { type: 'span', traceId: 'long', name: 'n', userId: 'longer' };
    await app.send([
      { ...span, spanId: 'early', startTime: early, tags: ['early'] },
      { ...span, spanId: 'late', startTime: late, tags: ['late', 'unwanted'] },
    ]);
    await done({ on: 'traces', ids: ['long'], action: { type: 'addTags', tags: ['gold'] } });
    await done({ on: 'traces', ids: ['long'], action: { type: 'removeTags', tags: ['unwanted'] } });
    expect(await tagsNow('long')).toEqual(['early', 'late', 'gold']);
    app.clock.advance(10 * 86_400_000);
    expect(await tagsNow('long')).toEqual(['late', 'gold']);
    expect(await listed('user:longer tag:gold')).toEqual(['long']);
    expect(await listed('user:longer tag:unwanted')).toEqual([]);
    app.clock.set(before);
  });
});
