import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { By, PromptsService } from './prompts-service.fixture.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.each(backends)('adding versions, $mode', (backend) => {
  let service: PromptsService;
  let key: By;
  let names = 0;
  const fresh = () => `prompt ${++names}`;
  const path = (name: string, rest = '') => `/v1/prompts/${encodeURIComponent(name)}${rest}`;
  const call = async (method: string, url: string, body?: unknown, by: By = key) => {
    const answer = await service.request(by, method, url, body);
    return [answer.status, answer.body] as const;
  };
  const refused = (where: string) => [
    400,
    expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path: where })] }),
  ];
  const versions = async (name: string) => (await call('GET', path(name, '/versions')))[1].versions;

  beforeAll(async () => {
    service = await openPromptsService(backend);
    ({ key } = service);
  });
  afterAll(() => service.close());

  test('201: the first version, with all fields', async () => {
    const name = fresh();
    const [status, body] = await call('POST', '/v1/prompts', {
      name,
      prompt: 'Hello {{user}}',
      config: { model: 'm', nested: { a: [1, null] } },
      labels: [' production ', 'b', 'b'],
      tags: [' two', 'one', 'two'],
      folder: '/a/b/',
      commitMessage: 'first',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(uuid),
      projectId: service.projectId,
      name,
      version: 1,
      type: 'text',
      prompt: 'Hello {{user}}',
      config: { model: 'm', nested: { a: [1, null] } },
      labels: ['b', 'latest', 'production'],
      tags: ['two', 'one'],
      folder: 'a/b',
      commitMessage: 'first',
      createdBy: expect.any(String),
      createdAt: new Date(service.clock.now()).toISOString(),
      updatedAt: new Date(service.clock.now()).toISOString(),
      resolvedPrompt: 'Hello {{user}}',
    });
  });

  test('201: omitted fields are empty, and the creator is the key or the user', async () => {
    const byKey = await service.create({ name: fresh(), prompt: '' });
    expect(byKey).toMatchObject({ config: {}, tags: [], folder: null, commitMessage: '', labels: ['latest'] });
    const { body: who } = await service.request(key, 'GET', '/v1/sdk/whoami');
    expect(byKey.createdBy).toBe(who.keyName);
    const [, byUser] = await call(
      'POST',
      '/v1/prompts',
      { name: fresh(), prompt: 'x', projectId: service.projectId },
      await service.person('member'),
    );
    expect(byUser.createdBy).toMatch(/^person\d+@example\.com$/);
  });

  test('201: a further version inherits tags and folder; given ones replace those of the whole family', async () => {
    const name = fresh();
    await service.create({ name, prompt: 'one', tags: ['a'], folder: 'f' });
    const second = await service.create({ name, prompt: 'two' });
    expect(second).toMatchObject({ version: 2, tags: ['a'], folder: 'f', labels: ['latest'] });
    await service.create({ name, prompt: 'three', tags: ['b'], folder: null });
    expect(await versions(name)).toMatchObject(
      [3, 2, 1].map((version) => ({ version, tags: ['b'], folder: null, labels: version === 3 ? ['latest'] : [] })),
    );
  });

  test('201: labels move from the versions that had them, and the audit log records it', async () => {
    const name = fresh();
    await service.create({ name, prompt: 'one', labels: ['production', 'old'] });
    expect(await service.movedLabels()).not.toContainEqual(expect.objectContaining({ subject: name }));
    await service.create({ name, prompt: 'two', labels: ['new', 'production'] });
    expect((await versions(name)).map(({ labels }: { labels: string[] }) => labels)).toEqual([
      ['latest', 'new', 'production'],
      ['old'],
    ]);
    const told = (await service.movedLabels()).filter(({ subject }) => subject === name);
    expect(told).toEqual([
      {
        subject: name,
        project_id: service.projectId,
        actor_name: expect.any(String),
        detail: { name, labels: [{ label: 'production', from: 1, to: 2 }] },
      },
    ]);
  });

  test('201: a chat prompt as an array or as its JSON', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '{{question}}', name: 'somebody' },
    ];
    for (const prompt of [messages, JSON.stringify(messages, null, 2)]) {
      const made = await service.create({ name: fresh(), type: 'chat', prompt });
      expect(made.type).toBe('chat');
      expect(made.prompt).toBe(typeof prompt === 'string' ? prompt : JSON.stringify(prompt));
      expect(made.resolvedPrompt).toEqual(messages);
    }
  });

  test('201: a prompt of 1 MiB, larger when escaped', async () => {
    const prompt = 'é\n'.repeat(349_525);
    const escaped = JSON.stringify({ name: fresh(), prompt }).replaceAll('é', String.raw`\u00e9`);
    expect(escaped.length).toBeGreaterThan(2_500_000);
    expect(await call('POST', '/v1/prompts', escaped)).toMatchObject([201, { version: 1 }]);
    expect(await call('POST', '/v1/prompts', { name: fresh(), prompt: `${prompt}12` })).toEqual(refused('/prompt'));
  });

  const valid = { name: 'valid', prompt: 'text' };
  test.each<[what: string, body: unknown, path: string]>([
    ['no name', { prompt: 'x' }, '/name'],
    ['an empty name', { ...valid, name: '' }, '/name'],
    ['a name of 201 characters', { ...valid, name: '😀'.repeat(201) }, '/name'],
    ['a name with a control character', { ...valid, name: 'a\nb' }, '/name'],
    ['a name with half a surrogate pair', { ...valid, name: 'a\ud800' }, '/name'],
    ['no prompt', { name: 'valid' }, '/prompt'],
    ['a prompt that is a number', { ...valid, prompt: 3 }, '/prompt'],
    ['a text prompt that is an array', { ...valid, prompt: [] }, '/prompt'],
    ['a prompt with NUL', { ...valid, prompt: 'a\0' }, '/prompt'],
    ['an unknown type', { ...valid, type: 'image' }, '/type'],
    ['chat that is no JSON', { ...valid, type: 'chat' }, '/prompt'],
    ['chat that is no array', { ...valid, type: 'chat', prompt: '{}' }, '/prompt'],
    ['chat with a message that is no object', { ...valid, type: 'chat', prompt: [null] }, '/prompt'],
    ['chat with a message without a role', { ...valid, type: 'chat', prompt: [{ content: '' }] }, '/prompt'],
    ['chat with a message without content', { ...valid, type: 'chat', prompt: '[{"role":"user"}]' }, '/prompt'],
    ['chat that nests too deep', { ...valid, type: 'chat', prompt: `${'['.repeat(9_000)}${']'.repeat(9_000)}` }, '/prompt'],
    ['a configuration that is no object', { ...valid, config: [] }, '/config'],
    ['a large configuration', { ...valid, config: { a: 'x'.repeat(262_144) } }, '/config'],
    ['the label latest', { ...valid, labels: ['a', ' latest '] }, '/labels/1'],
    ['an empty label', { ...valid, labels: [' '] }, '/labels/0'],
    ['a long label', { ...valid, labels: ['x'.repeat(101)] }, '/labels/0'],
    ['51 labels', { ...valid, labels: Array.from({ length: 51 }, (_, index) => `n${index}`) }, '/labels'],
    ['a tag that is too long', { ...valid, tags: ['x'.repeat(101)] }, '/tags/0'],
    ['tags that are null', { ...valid, tags: null }, '/tags'],
    ['a folder with an empty segment', { ...valid, folder: 'a//b' }, '/folder'],
    ['a long commit message', { ...valid, commitMessage: 'x'.repeat(2_001) }, '/commitMessage'],
    ['a commit message with NUL', { ...valid, commitMessage: '\0' }, '/commitMessage'],
    ['an unknown field', { ...valid, other: 1 }, '/other'],
  ])('400: %s', async (_, body, where) => {
    expect(await call('POST', '/v1/prompts', body)).toEqual(refused(where));
  });

  test('400: a configuration nested too deep, and a body that is not JSON', async () => {
    const deep = (levels: number) => `{"name":"valid","prompt":"x","config":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const error = expect.stringContaining('deeper than 64 levels') as string;
    expect(await call('POST', '/v1/prompts', deep(63))).toMatchObject([400, { code: 'invalid_request', error }]);
    expect(await call('POST', '/v1/prompts', deep(62))).toMatchObject([201, {}]);
    expect(await call('POST', '/v1/prompts', '{')).toMatchObject([400, { code: 'invalid_request' }]);
    expect(await call('POST', '/v1/prompts')).toMatchObject([400, { code: 'invalid_request' }]);
  });

  test('413: a body over 5 MiB', async () => {
    expect(await call('POST', '/v1/prompts', { ...valid, prompt: 'x'.repeat(5 * 1_048_576) })).toMatchObject([
      413,
      { code: 'payload_too_large' },
    ]);
  });

  test('400: a body with more JSON values than a prompt has, before it is parsed', async () => {
    const zeros = (count: number, prompt = ' '.repeat(1_048_576)) =>
      `{"name":"valid","prompt":"${prompt}","labels":[0${',0'.repeat(count)}]}`;
    expect(await call('POST', '/v1/prompts', zeros(9_000))).toEqual(refused('/labels'));
    const error = expect.stringContaining('more than 10,000 JSON values') as string;
    for (const body of [zeros(10_000), zeros(10_000, '')])
      expect(await call('POST', '/v1/prompts', body)).toMatchObject([400, { code: 'invalid_request', error }]);
  });

  test('a refused version uses no number', async () => {
    const name = fresh();
    await service.create({ name, prompt: 'x' });
    expect(await call('POST', '/v1/prompts', { name, prompt: `{{> ${name} }}` })).toEqual(refused('/prompt'));
    expect(await service.create({ name, prompt: 'y' })).toMatchObject({ version: 2 });
  });
});
