import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPrompts } from '../../packages/sdk/src/prompts/index.ts';
import type { Prompts } from '../../packages/sdk/src/prompts/index.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { openSdkService } from '../support/sdk-service.ts';
import type { SdkService } from '../support/sdk-service.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
let app: TestApp;
let service: SdkService;
let prompts: Prompts;

beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());
beforeEach(() => {
  service = openSdkService(app.url, app.apiKey, startMs);
  prompts = openPrompts(service);
});

async function send(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${app.url}/v1/prompts${path}`, {
    method,
    headers: { 'x-api-key': app.apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
}
const statuses = () => service.asked.map(({ status }) => status);

test('a text prompt has its references replaced, and compiles', async () => {
  await send('POST', '', { name: 'tone', prompt: 'Be {{mood}}.' });
  await send('POST', '', {
    name: 'support',
    prompt: '{{> tone }} Answer {{ question }} as {{format}}: {{ unknown',
    config: { model: 'm' },
    labels: ['live'],
  });
  const prompt = await prompts.get('support', { label: 'live' });
  expect(prompt).toMatchObject({
    name: 'support',
    version: 1,
    type: 'text',
    prompt: 'Be {{mood}}. Answer {{ question }} as {{format}}: {{ unknown',
    config: { model: 'm' },
    isFallback: false,
  });
  expect(prompt.compile({ mood: '{{question}}', question: 'What?', format: { a: [1, null] } })).toBe(
    'Be {{question}}. Answer What? as {"a":[1,null]}: {{ unknown',
  );
  expect(() => prompt.compile({ mood: 'brief' })).toThrow(
    'The prompt "support" has variables without a value: {{question}}, {{format}}. Pass them to compile().',
  );
});

test('literal braces lose their backslash, other forms stay as they are', async () => {
  const text = '\\{{name}} {{#if x}}{{x}}{{else}}-{{/if}} ${{ secrets.X }} {{{raw}}} {{ x | upper }} \\{{> tone }}';
  await send('POST', '', { name: 'braces', prompt: text });
  expect((await prompts.get('braces')).compile({ x: 1 })).toBe(
    '{{name}} {{#if x}}1{{else}}-{{/if}} ${{ secrets.X }} {{{raw}}} {{ x | upper }} {{> tone }}',
  );
});

test('a chat prompt compiles to messages; callers share nothing', async () => {
  await send('POST', '', { name: 'chat', type: 'chat', prompt: [{ role: 'system', content: 'You are {{who}}.', name: 'a' }] });
  const prompt = await prompts.get('chat');
  expect(prompt.type).toBe('chat');
  expect(prompt.compile({ who: 'Ada' })).toEqual([{ role: 'system', content: 'You are Ada.', name: 'a' }]);
  if (prompt.type === 'chat') prompt.prompt.push({ role: 'user', content: 'mine' });
  prompt.config['model'] = 'mine';
  expect(await prompts.get('chat')).toMatchObject({ prompt: [{ role: 'system' }], config: {} });
  expect((await prompts.get('chat')).prompt).toHaveLength(1);
});

test('a fresh copy asks nothing; a stale one is returned and refreshed once, by its ETag', async () => {
  await send('POST', '', { name: 'cached', prompt: 'one' });
  const first = await Promise.all([prompts.get('cached'), prompts.get('cached')]);
  expect(first.map(({ prompt }) => prompt)).toEqual(['one', 'one']);
  service.clock.advance(59_999);
  await prompts.get('cached');
  expect(statuses()).toEqual([200]);
  service.clock.advance(1);
  await Promise.all([prompts.get('cached'), prompts.get('cached')]);
  await service.idle();
  expect(statuses()).toEqual([200, 304]);
  await send('POST', '', { name: 'cached', prompt: 'two' });
  expect((await prompts.get('cached')).prompt).toBe('one');
  service.clock.advance(60_000);
  expect((await prompts.get('cached')).prompt).toBe('one');
  await service.idle();
  expect(await prompts.get('cached')).toMatchObject({ prompt: 'two', version: 2 });
  expect((await prompts.get('cached', { version: 1 })).prompt).toBe('one');
});

test('a copy outlives the service, however old; without one there is the fallback, or an error', async () => {
  await send('POST', '', { name: 'kept', prompt: 'kept' });
  await prompts.get('kept');
  service.away = true;
  service.clock.advance(365 * 86_400_000);
  expect((await prompts.get('kept', { fallback: 'other' })).prompt).toBe('kept');
  await service.idle();
  expect((await prompts.get('kept')).prompt).toBe('kept');
  expect(service.reported[0]).toBe(
    `The prompt "kept" cannot be fetched; the copy of it is used. ${app.url} cannot be reached: it is away.`,
  );
  await expect(prompts.get('never', { version: 3 })).rejects.toThrow(
    `The prompt "never" version 3 cannot be fetched, and there is no copy of it. ${app.url} cannot be reached: it is away.`,
  );
  const fallback = await prompts.get('never', { fallback: 'Hi {{name}}' });
  expect(fallback).toMatchObject({ name: 'never', version: null, type: 'text', config: {}, isFallback: true });
  expect(fallback.compile({ name: 'Ada' })).toBe('Hi Ada');
  const messages = [{ role: 'user', content: 'Hi {{name}}' }];
  expect((await prompts.get('never', { fallback: messages })).compile({ name: 'Ada' })).toEqual([
    { role: 'user', content: 'Hi Ada' },
  ]);
  expect(await prompts.get('never', { fallback: { prompt: messages, config: { model: 'm' } } })).toMatchObject({
    type: 'chat',
    config: { model: 'm' },
  });
});

test.each([
  ['a page', '<html>'],
  ['an empty object', '{}'],
  ['a list of prompts', '{"prompts":[],"nextCursor":null}'],
])('something else that answers for the service replaces no copy: %s', async (what, body) => {
  const name = `foreign ${what}`;
  await send('POST', '', { name, prompt: 'mine' });
  await prompts.get(name);
  service.request = () => Promise.resolve(new Response(body));
  service.clock.advance(60_000);
  await prompts.get(name);
  await service.idle();
  expect((await prompts.get(name)).prompt).toBe('mine');
  expect(service.reported).toEqual([
    `The prompt "${name}" cannot be fetched; the copy of it is used. The answer is not one of Spanwise; check SPANWISE_URL, or the option baseUrl.`,
  ]);
  await expect(prompts.get('other')).rejects.toThrow('there is no copy of it. The answer is not one of Spanwise');
  expect((await prompts.get('other', { fallback: 'two' })).prompt).toBe('two');
});

test('a 404 of something in front of the service removes no copy', async () => {
  await send('POST', '', { name: 'behind', prompt: 'mine' });
  await prompts.get('behind');
  service.request = () => Promise.resolve({ status: 404, ok: false, headers: new Headers(), body: undefined });
  for (let round = 0; round < 3; round += 1) {
    service.clock.advance(60_000);
    expect((await prompts.get('behind')).prompt).toBe('mine');
    await service.idle();
  }
  expect(service.reported).toContain('The prompt "behind" cannot be fetched; the copy of it is used. The service answered 404.');
});

test('a deleted label is not returned after the next refresh', async () => {
  await send('POST', '', { name: 'moved', prompt: 'one', labels: ['live'] });
  expect((await prompts.get('moved', { label: 'live' })).prompt).toBe('one');
  await send('DELETE', '/moved');
  service.clock.advance(60_000);
  expect((await prompts.get('moved', { label: 'live' })).prompt).toBe('one');
  await service.idle();
  await expect(prompts.get('moved', { label: 'live' })).rejects.toThrow(
    'There is no prompt "moved" with the label "live". Create it or set its label, or pass a fallback.',
  );
  expect((await prompts.get('moved', { label: 'live', fallback: 'two' })).prompt).toBe('two');
  await send('POST', '', { name: 'moved', prompt: 'three', labels: ['live'] });
  expect((await prompts.get('moved', { label: 'live', fallback: 'two' })).prompt).toBe('three');
});

test('a refusal is told in the words of the service', async () => {
  service = openSdkService(app.url, `${app.apiKey.slice(0, -1)}_`, startMs);
  await expect(openPrompts(service).get('support')).rejects.toThrow(/there is no copy of it\. .*key/i);
  await expect(prompts.get('support', { label: 'live', version: 1 })).rejects.toThrow('not both');
});

test('copies are limited; the least recently used go', async () => {
  await send('POST', '', { name: 'many', prompt: 'x' });
  const answer = await service.request('/v1/prompts?name=many');
  let asked = 0;
  service.request = () => {
    asked += 1;
    return Promise.resolve(answer);
  };
  for (let version = 1; version <= 1_000; version += 1) await prompts.get('many', { version });
  await prompts.get('many', { version: 1 });
  expect(asked).toBe(1_000);
  // The one that was used longest ago is now the second.
  await prompts.get('many', { version: 1_001 });
  await prompts.get('many', { version: 1 });
  expect(asked).toBe(1_001);
  await prompts.get('many', { version: 2 });
  expect(asked).toBe(1_002);
});
