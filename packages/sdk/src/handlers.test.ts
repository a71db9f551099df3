import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HandlerPlatform } from './handlers.fixture.ts';

// Compression runs in threads, whose time is not that of the clock.
beforeEach(() => vi.stubGlobal('CompressionStream', undefined));
afterEach(() => vi.unstubAllGlobals());

const record = ({ spanwise }: HandlerPlatform, name: string) => spanwise.span({ name }).end();

const passed = ({ clock }: HandlerPlatform, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

test('handlers that overlap, each with a flush behind its answer, deliver everything at once', async () => {
  const platform = new HandlerPlatform(400);
  for (const name of ['first', 'second', 'third']) {
    await platform.handle((waitUntil) => {
      record(platform, name);
      waitUntil(platform.spanwise.flush());
    });
    await platform.clock.advance(50);
  }
  await platform.clock.advance(3 * 400);
  expect(platform.service.spans().map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  expect(platform.spanwise.delivery()).toMatchObject({ sent: 3, accepted: 3, queued: 0 });
});

test('a request that ended with its handler is sent again by a later one', async () => {
  const platform = new HandlerPlatform(400);
  await platform.handle(() => {
    record(platform, 'cut');
    void platform.spanwise.flush();
  });
  await platform.clock.advance(60_000);
  expect(platform.spanwise.delivery()).toMatchObject({ sent: 1, accepted: 0, queued: 1 });
  await platform.handle((waitUntil) => {
    record(platform, 'later');
    waitUntil(platform.spanwise.flush());
  });
  await platform.clock.advance(1_000);
  expect(platform.service.spans().map(({ name }) => name)).toEqual(['cut', 'later']);
  expect(platform.spanwise.delivery()).toMatchObject({ sent: 2, accepted: 2, queued: 0 });
});

test('a timer that ended with its handler does not keep later events from being sent', async () => {
  const platform = new HandlerPlatform(0);
  await platform.handle(() => record(platform, 'first'));
  await platform.clock.advance(10_000);
  void platform.handle(async () => {
    for (let made = 1; made < 100; made += 1) record(platform, 'later');
    await passed(platform, 100);
  });
  await platform.clock.advance(200);
  expect(platform.spanwise.delivery()).toMatchObject({ accepted: 100, queued: 0 });
});

test('a prompt is refreshed by a later handler when the refresh ended with its own; a flush sees it through', async () => {
  const platform = new HandlerPlatform(400);
  const { clock, service, spanwise } = platform;
  const versions = (name: string, version: number) => () =>
    Response.json({ name, version, resolvedPrompt: `v${version}`, config: {} });
  const get = () => spanwise.prompts.get('p', { ttlMs: 1 });
  service.answers.push(versions('p', 1), versions('p', 2));
  const first = platform.handle(get);
  while (service.requests.length === 0) await clock.advance(100);
  expect(await first).toMatchObject({ version: 1 });
  await clock.advance(10);
  // The refresh of this one is cut.
  expect(await platform.handle(get)).toMatchObject({ version: 1 });
  await clock.advance(60_000);
  expect(service.requests).toHaveLength(1);
  expect(
    await platform.handle((waitUntil) => {
      const prompt = get();
      waitUntil(prompt.then(() => spanwise.flush()));
      return prompt;
    }),
  ).toMatchObject({ version: 1 });
  await clock.advance(1_000);
  expect(await platform.handle(get)).toMatchObject({ version: 2 });
});
