import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { By, PromptsService } from './prompts-service.fixture.ts';

describe.each(backends)('references between prompts, $mode', (backend) => {
  let service: PromptsService;
  let key: By;
  beforeAll(async () => {
    service = await openPromptsService(backend);
  });
  beforeEach(async () => {
    ({ key } = await service.project());
  });
  afterAll(() => service.close());

  const post = async (name: string, prompt: unknown, rest: object = {}) => {
    const answer = await service.request(key, 'POST', '/v1/prompts', { name, prompt, ...rest });
    return [answer.status, answer.status === 201 ? answer.body.resolvedPrompt : answer.body] as const;
  };
  const label = async (name: string, version: number, labels: string[]) => {
    const answer = await service.request(key, 'PATCH', `/v1/prompts/${name}/labels`, { version, labels });
    return [answer.status, answer.body] as const;
  };
  const fetched = async (query: string) => {
    const answer = await service.request(key, 'GET', `/v1/prompts?name=${query}`);
    return [answer.status, answer.status === 200 ? answer.body.resolvedPrompt : answer.body] as const;
  };
  const refused = (message: string, path = '/prompt') => [
    400,
    {
      code: 'invalid_request',
      error: expect.stringContaining(message),
      details: [{ path, message: expect.stringContaining(message) }],
    },
  ];

  test('bare, by label and by version; variables are unchanged', async () => {
    await post('greeting', 'Hi {{name}}', { labels: ['production'] });
    await post('greeting', 'Hello {{name}}', { labels: ['formal'] });
    await post('greeting', 'Hey');
    expect(await post('a', '{{> greeting }}|{{> greeting@formal }}|{{> greeting@latest}}|{{>greeting#2}}|{{you}}')).toEqual([
      201,
      'Hi {{name}}|Hello {{name}}|Hey|Hello {{name}}|{{you}}',
    ]);
  });

  test('a bare reference means production, or latest while there is none, at the time of reading', async () => {
    await post('inner', '1');
    await post('outer', '<{{> inner }}>');
    expect(await fetched('outer')).toEqual([200, '<1>']);
    await post('inner', '2');
    expect(await fetched('outer')).toEqual([200, '<2>']);
    await label('inner', 1, ['production']);
    expect(await fetched('outer')).toEqual([200, '<1>']);
    await post('inner', '3', { labels: ['production'] });
    expect(await fetched('outer')).toEqual([200, '<3>']);
  });

  test('across several prompts, and within the messages of a chat prompt', async () => {
    await post('c', 'C');
    await post('b', '[{{> c }}{{> c }}]');
    const messages = [
      { role: 'system', content: '{{> b }} and {{> c }}', name: '{{> c }}' },
      { role: 'user', content: 'plain' },
    ];
    expect(await post('a', messages, { type: 'chat' })).toEqual([
      201,
      [
        { role: 'system', content: '[CC] and C', name: '{{> c }}' },
        { role: 'user', content: 'plain' },
      ],
    ]);
  });

  test('400: a reference to a missing prompt', async () => {
    await post('there', 'x', { labels: ['a'] });
    const references = ['none', 'there#2', 'there@b', 'there#0', 'there@production', '', 'x'.repeat(500)];
    for (const reference of references) expect(await post('a', `{{> ${reference} }}`)).toMatchObject(refused('has no target'));
    expect(await post('a', [{ role: 'user', content: '{{> none }}' }], { type: 'chat' })).toMatchObject(refused('has no target'));
    expect(await post('a', 'x {{> a }}')).toMatchObject(refused('a (version 1) refers to a (version 1)'));
    expect(await post('a', 'x {{> a#1 }}')).toMatchObject(refused('refers to itself'));
    const { body } = await service.request(key, 'GET', '/v1/prompts');
    expect(body.prompts).toHaveLength(1);
  });

  test('400: a reference to a prompt of another project', async () => {
    await post('elsewhere', 'x');
    ({ key } = await service.project());
    expect(await post('a', '{{> elsewhere }}')).toMatchObject(refused('has no target'));
  });

  test('400: a chat prompt cannot be inserted', async () => {
    await post('chat', [{ role: 'user', content: 'x' }], { type: 'chat' });
    expect(await post('a', '{{> chat }}')).toMatchObject(refused('names a chat prompt'));
    expect(await post('a', [{ role: 'user', content: '{{> chat }}' }], { type: 'chat' })).toMatchObject(
      refused('names a chat prompt'),
    );
  });

  test('400: a cycle, by a new version or by a label; an earlier version of the same prompt is none', async () => {
    await post('a', 'start');
    await post('b', '{{> a }}');
    await post('c', '{{> b }}');
    const circle = 'a (version 2) refers to c (version 1) refers to b (version 1) refers to a (version 2)';
    expect(await post('a', '{{> c }}')).toMatchObject(refused(circle));
    await label('a', 1, ['production']);
    // While production is version 1, version 2 creates no cycle.
    expect(await post('a', '{{> c }}')).toEqual([201, 'start']);
    expect(await label('a', 2, ['production'])).toMatchObject(refused(circle, '/labels'));
    expect(await fetched('c')).toEqual([200, 'start']);
    expect(await fetched('a&label=latest')).toEqual([200, 'start']);
    expect(await post('a', 'more than {{> a#1 }}')).toEqual([201, 'more than start']);
  });

  test('400: two concurrent writers cannot create a cycle', async () => {
    await post('a', 'a');
    await post('b', 'b');
    const answers = await Promise.all([post('a', '{{> b }}'), post('b', '{{> a }}')]);
    expect(answers.map(([status]) => status).toSorted()).toEqual([201, 400]);
  });

  test('depth: a chain of 10 references is accepted, of 11 refused', async () => {
    await post('p0', 'x');
    for (let depth = 1; depth <= 10; depth++) expect((await post(`p${depth}`, `{{> p${depth - 1} }}`))[0]).toBe(201);
    expect(await fetched('p10')).toEqual([200, 'x']);
    expect(await post('p11', '{{> p10 }}')).toMatchObject(refused('longer than 10'));
    // The shortest path is within the limit, the longest is not.
    expect(await post('p11', '{{> p0 }}{{> p5 }}{{> p10 }}')).toMatchObject(refused('longer than 10'));
    expect(await post('p11', '{{> p9 }}{{> p0 }}')).toEqual([201, 'xx']);
  });

  test('size: 1 MiB resolved is accepted, a byte more refused, and an exponential expansion refused at once', async () => {
    await post('half', 'é'.repeat(262_144));
    expect((await post('whole', '{{> half }}{{> half }}'))[0]).toBe(201);
    expect(await post('more', '{{> half }}{{> half }}.')).toMatchObject(refused('larger than 1 MiB'));
    const messages = Array.from({ length: 3 }, () => ({ role: 'user', content: '{{> half }}' }));
    expect(await post('more', messages, { type: 'chat' })).toMatchObject(refused('larger than 1 MiB'));
    const tenTimes = (name: string) => `{{> ${name} }}`.repeat(10);
    await post('l0', '0123456789');
    for (let level = 1; level <= 5; level++) expect((await post(`l${level}`, tenTimes(`l${level - 1}`)))[0]).toBe(201);
    expect(await post('l6', tenTimes('l5'))).toMatchObject(refused('larger than 1 MiB'));
  });

  test('a hostile prompt is refused or resolved in time', async () => {
    const started = performance.now();
    await post('empty', '');
    await post('many', '{{> empty }}'.repeat(5_000));
    expect(await post('many of many', '{{> many }}'.repeat(5_000))).toEqual([201, '']);
    expect(await post('more of many', '{{> many }}'.repeat(5_001))).toMatchObject(refused('more than 10000 references'));
    expect(await post('too many', '{{> empty }}'.repeat(80_000))).toMatchObject(refused('more than 10000 references'));
    const different = Array.from({ length: 1_500 }, (_, index) => `{{> p${index} }}`).join('');
    expect(await post('different', different)).toMatchObject(refused('more than 1000'));
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  describe('a prompt that becomes unresolvable', () => {
    test('409 when it is fetched; lists report the reason and continue', async () => {
      await post('p0', 'x');
      for (let depth = 1; depth <= 10; depth++) await post(`p${depth}`, `{{> p${depth - 1} }}`);
      await post('below', 'y');
      await post('p0', '{{> below }}');
      expect(await fetched('p10')).toMatchObject([409, { code: 'conflict', error: expect.stringContaining('longer than 10') }]);
      expect(await fetched('p9')).toEqual([200, 'y']);
      const { body } = await service.request(key, 'GET', '/v1/prompts?q=p1');
      expect(body.prompts).toMatchObject([
        { name: 'p1', resolvedPrompt: 'y' },
        { name: 'p10', resolvedPrompt: null, resolutionError: expect.stringContaining('longer than 10') },
      ]);
      expect(body.prompts[0]).not.toHaveProperty('resolutionError');
      const versions = await service.request(key, 'GET', '/v1/prompts/p10/versions');
      expect(versions.body.versions).toMatchObject([{ resolvedPrompt: null }]);
      expect((await service.request(key, 'PATCH', '/v1/prompts/p10/tags', { tags: ['t'] })).status).toBe(200);
      // Undo the change.
      await label('p0', 1, ['production']);
      expect(await fetched('p10')).toEqual([200, 'x']);
    });

    test('a label cannot be moved to a version that cannot be resolved', async () => {
      await post('inner', 'x');
      await post('outer', '{{> inner }}');
      await post('inner', [], { type: 'chat' });
      expect(await label('outer', 1, ['production'])).toMatchObject(refused('names a chat prompt', '/labels'));
      expect(await fetched('outer')).toMatchObject([409, { code: 'conflict' }]);
    });
  });
});
