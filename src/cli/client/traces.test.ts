import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { runClient } from './command-io.fixture.ts';
import { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const hostile = 'red \u001B[31m\u009B2J\u202Etext';
const escape = '\u001B';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(nowMs);
  const at = (minutesAgo: number) => new Date(nowMs - minutesAgo * 60_000).toISOString();
  const span = (traceId: string, spanId: string, more: object) => ({ type: 'span', traceId, spanId, name: spanId, ...more });
  await app.send([
    span('old', 'root', { startTime: at(120), endTime: at(119) }),
    span('new', 'agent', { kind: 'agent', startTime: at(5), endTime: at(4), sessionId: 's-1' }),
    span('new', 'ask', {
      parentSpanId: 'agent',
      kind: 'llm',
      model: 'gpt-4o-mini',
      startTime: at(5),
      endTime: at(4),
      usage: { inputTokens: 1_200, outputTokens: 34 },
      costUsd: 0.0123,
      input: { question: 'what\nnow' },
      output: hostile,
    }),
    span('new', 'search', {
      parentSpanId: 'agent',
      kind: 'tool',
      startTime: at(4.5),
      status: 'error',
      errorCode: 'timeout',
      errorMessage: hostile,
    }),
    { type: 'score', scoreId: 'x', traceId: 'new', evaluator: 'helpful', score: 0.5, passed: false },
    span('odd', 'root', {
      name: hostile,
      startTime: at(30),
      endTime: at(30),
      kind: 'llm',
      model: 'nobody-knows',
      usage: { inputTokens: 1 },
    }),
  ]);
});
afterAll(() => app.close());

const run = (parameters: string[], terminal = new RecordedTerminal(), atMs = nowMs) =>
  runClient(parameters, { terminal, environment: { url: app.url, apiKey: app.apiKey }, now: () => atMs });

describe('traces', () => {
  test('a table of the newest traces, without control characters of others', async () => {
    const { code, printed, errors } = await run(['traces']);
    expect([code, errors]).toEqual([0, '']);
    expect(printed[0]).toMatch(/^time \(UTC\) +trace +name +status +models +latency +cost +tokens$/);
    expect(printed[1]).toMatch(/^2026-11-20 09:55:00 +new +agent +timeout +gpt-4o-mini +1 min 0 s +\$0\.01 +1,234$/);
    expect(printed[2]).toContain('odd');
    expect(printed[2]).toContain('$0*');
    expect(printed[3]).toMatch(/^2026-11-20 08:00:00 +old +root +ok +- +1 min 0 s +\$0 +0$/);
    expect(printed[4]).toBe('* with calls of models that have no price, which add nothing');
    expect(printed.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test.each([
    [
      ['--last', '1h'],
      ['new', 'odd'],
    ],
    [['--last', '20m'], ['new']],
    [['--status', 'error'], ['new']],
    [
      ['--model', 'nobody-knows', '--model', 'gpt-4o-mini'],
      ['new', 'odd'],
    ],
    [['--q', 'what'], ['new']],
    [['--session', 's-1'], ['new']],
    [
      ['--sort', 'startTime'],
      ['old', 'odd', 'new'],
    ],
  ])('%j', async (parameters, expected) => {
    const { output } = await run(['traces', '--json', ...parameters]);
    expect(JSON.parse(output)).toMatchObject({ traces: expected.map((traceId) => ({ traceId })), nextCursor: null });
  });

  test('a saved view narrows them, by its name or its id', async () => {
    const save = async (fields: object) => {
      const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/views`, {
        method: 'POST',
        headers: { cookie: app.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ visibility: 'project', ...fields }),
      });
      return (await answer.json()) as { id: string };
    };
    const { id } = await save({ name: 'Slow ones', on: 'traces', filter: 'latency:>30s' });
    await save({ name: 'Of spans', on: 'spans' });
    for (const named of ['Slow ones', id]) {
      const { output } = await run(['traces', '--json', '--view', named, '--filter', 'status:error']);
      expect(JSON.parse(output).traces).toMatchObject([{ traceId: 'new' }]);
    }
    const missing = await run(['traces', '--view', 'Of spans']);
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining('no saved view of traces named "Of spans"')]);
  });

  test('a list continues behind its cursor', async () => {
    const first = JSON.parse((await run(['traces', '--json', '--limit', '2'])).output);
    expect(first.traces).toHaveLength(2);
    const rest = await run(['traces', '--json', '--cursor', first.nextCursor]);
    expect(JSON.parse(rest.output)).toMatchObject({ traces: [{ traceId: 'old' }], nextCursor: null });
    expect((await run(['traces', '--limit', '2'])).errors).toContain(`--cursor ${first.nextCursor}`);
  });

  test('a list of the last hours continues later, within the same time', async () => {
    const last = ['traces', '--last', '3h', '--limit', '2'];
    const laterMs = nowMs + 7_200_000;
    const first = JSON.parse((await run([...last, '--json'])).output);
    expect(first.traces).toHaveLength(2);
    const rest = await run([...last, '--json', '--cursor', first.nextCursor], undefined, laterMs);
    expect(JSON.parse(rest.output)).toMatchObject({ traces: [{ traceId: 'old' }], nextCursor: null });
    const { errors } = await run(last);
    const [, printed = ''] = /--cursor (\S+)/.exec(errors) ?? [];
    // The time is that of the cursor, also without --last.
    const { printed: table } = await run(['traces', '--cursor', printed], undefined, laterMs);
    expect(table[1]).toContain('old');
  });

  test('colours where they are shown', async () => {
    const { output } = await run(['traces'], new RecordedTerminal({ hasColors: true }));
    expect(output).toContain(`${escape}[31mtimeout${escape}[39m`);
  });

  test.each([
    [['traces', '--last', '1y'], 2, 'such as 30m, 1h or 7d'],
    [['traces', '--limit', '0'], 2, 'from 1 to 1000'],
    [['traces', '--status', 'bad'], 2, 'Allowed choices are ok, error'],
    [['traces', '--cursor', '!'], 1, 'answered 400'],
    [['traces', '--cursor', '1.!'], 1, 'answered 400'],
    [['traces', '--key', 'spw_wrong'], 1, 'answered 401'],
    [['traces', '--url', 'http://127.0.0.1:1'], 2, 'cannot be reached'],
    [['traces', '--key', 'a', '--token', 'b'], 2, 'cannot be used with'],
    [['trace', 'none'], 1, 'answered 404'],
    [['trace'], 2, "missing required argument 'id'"],
  ])('%j exits with %i', async (parameters, code, told) => {
    expect(await run(parameters)).toMatchObject({ code, printed: [], errors: expect.stringContaining(told) });
    const json = await run([...parameters, '--json']);
    expect([json.code, JSON.parse(json.output).error]).toEqual([code, expect.any(String)]);
  });
});

test('a list as CSV', async () => {
  const { code, printed } = await run(['traces', '--csv', '--limit', '2']);
  expect(code).toBe(0);
  expect(printed[0]).toMatch(/^"traceId","name","startTime",/);
  expect(printed[1]).toMatch(/^"new","agent","2026-11-20T09:55:00.000Z",/);
  expect(printed).toHaveLength(3);
  expect((await run(['traces', '--csv', '--json'])).code).toBe(2);
  expect((await run(['traces', '--csv', '--q', 'nothing at all'])).printed).toHaveLength(1);
});

describe('calls', () => {
  test('a table of the newest spans', async () => {
    const { code, printed, errors } = await run(['calls']);
    expect([code, errors]).toEqual([0, '']);
    expect(printed[0]).toMatch(/^time \(UTC\) +trace +span +name +kind +status +model +latency +cost +tokens$/);
    expect(printed[1]).toMatch(/^2026-11-20 09:55:30 +new +search +search +tool +timeout +- +running +- +-$/);
    expect(printed.find((line) => line.includes(' ask '))).toMatch(/ ask +ask +llm +ok +gpt-4o-mini +1 min 0 s +\$0\.01 +1,234$/);
    expect(printed.at(-1)).toBe('* calls of models that have no price');
    expect(printed.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('by a filter, an order and in pages, as JSON and CSV', async () => {
    const spansOf = async (...parameters: string[]) => JSON.parse((await run(['calls', '--json', ...parameters])).output);
    const idsOf = ({ spans }: { spans: Array<{ spanId: string }> }) => spans.map(({ spanId }) => spanId);
    expect(idsOf(await spansOf('--filter', 'kind:llm trace:new'))).toEqual(['ask']);
    expect(idsOf(await spansOf('--filter', 'trace:new', '--sort', '-cost'))[0]).toBe('ask');
    expect(idsOf(await spansOf('--roots', '--last', '10m'))).toEqual(['agent']);
    const first = await spansOf('--limit', '2');
    expect(first.spans).toHaveLength(2);
    expect((await spansOf('--cursor', first.nextCursor)).spans).toHaveLength(3);
    const { printed } = await run(['calls', '--csv', '--filter', 'kind:llm trace:new']);
    expect(printed).toHaveLength(2);
    expect(printed[1]).toMatch(/^"new","ask","agent","ask","llm",/);
    const wrong = await run(['calls', '--filter', 'latency:fast']);
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('answered 400')]);
  });
});

describe('trace', () => {
  test('a tree of spans with what they cost and why they failed', async () => {
    const { code, printed } = await run(['trace', 'new']);
    expect(code).toBe(0);
    expect(printed).toEqual([
      'agent  1 min 0 s',
      'new  2026-11-20 09:55:00 UTC  error  3 spans  $0.01  1,200 in, 34 out  session s-1',
      '└─ agent  agent  1 min 0 s',
      '   ├─ ask  llm  gpt-4o-mini  1 min 0 s  $0.01  1,200 in, 34 out',
      '   └─ search  tool  running  error timeout: red \\u{1b}[31m\\u{9b}2J\\u{202e}text',
      'score helpful: 0.5 failed',
    ]);
  });

  test('with payloads', async () => {
    const { printed } = await run(['trace', 'new', '--payloads']);
    expect(printed.slice(3, 9)).toEqual([
      '   ├─ ask  llm  gpt-4o-mini  1 min 0 s  $0.01  1,200 in, 34 out',
      '   │      input:',
      '   │        {',
      '   │          "question": "what\\nnow"',
      '   │        }',
      '   │      output:',
    ]);
    expect(printed[9]).toContain('red \\u{1b}[31m');
    const { output } = await run(['trace', 'new', '--payloads', '--json']);
    expect(JSON.parse(output)).toMatchObject({
      trace: { traceId: 'new' },
      spans: [{}, { input: { question: 'what\nnow' } }, {}],
    });
  });
});
