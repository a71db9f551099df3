import { join } from 'node:path';
import { checkText, compileBundle } from '../packages/guardrails/src/index.ts';
import type { Bundle, Guardrail } from '../packages/guardrails/src/index.ts';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import type { Service } from '../test/support/service.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { httpLoad, repeatedFor, requestBytes } from './http-load.ts';
import { startProgram } from './processes.ts';

const connections = 16;
const longTexts = 64;
const json = { 'content-type': 'application/json' };

/** 20 guardrails of the local types, no two alike. */
const guardrails: ReadonlyArray<Pick<Guardrail, 'slug' | 'type' | 'action'> & { config: object }> = [
  ...(['email', 'payment_card', 'phone', 'iban'] as const).map((entity) => ({
    slug: `pii-${entity.replace('_', '-')}`,
    type: 'pii' as const,
    action: 'redact' as const,
    config: { entities: [entity, 'us_ssn'] },
  })),
  { slug: 'secrets', type: 'secrets', action: 'redact', config: {} },
  { slug: 'secrets-but-jwt', type: 'secrets', action: 'block', config: { exclude: ['jwt'] } },
  { slug: 'injection', type: 'prompt_injection', action: 'flag', config: {} },
  { slug: 'injection-sure', type: 'prompt_injection', action: 'block', config: { threshold: 0.9 } },
  { slug: 'length', type: 'max_length', action: 'block', config: { maxCharacters: 1_000_000 } },
  { slug: 'length-noted', type: 'max_length', action: 'flag', config: { maxCharacters: 500_000 } },
  ...Array.from({ length: 4 }, (_, list) => ({
    slug: `words-${list}`,
    type: 'blocklist' as const,
    action: 'block' as const,
    config: { terms: Array.from({ length: 50 }, (_term, index) => `word${list} number${index}`) },
  })),
  ...Array.from({ length: 6 }, (_, set) => ({
    slug: `patterns-${set}`,
    type: 'regex' as const,
    action: 'flag' as const,
    config: {
      patterns: Array.from({ length: 5 }, (_pattern, index) => ({ pattern: String.raw`\bproject-${set}${index}-\d{3,8}\b` })),
    },
  })),
];

const prose =
  'Please tell the customer that the parcel left the warehouse on Tuesday and will arrive within four days. If it does not, she can write to ' +
  'help@example.com or call 212-555-0100 between nine and five. ';
const hostile = ['4111 1111 1111 1112 ', 'sk-xoxb-eyJ-', '212-555-0100 ', '((((1:2::3.4.5.', 'jo@example.com, '];

/** Checks of texts: over HTTP, in the process, and what long ones do to other requests. */
export async function benchGuardrails(size: { rounds: number; seconds: number }): Promise<Figure[]> {
  const bundle = compileBundle(
    guardrails.map((guardrail) => ({ ...guardrail, stage: 'input', priority: 100, onError: 'block' })),
  );
  const figures = localFigures(bundle);
  const directory = await temporaryDataDirectory();
  const service = await startService({ dataDirectory: directory.path, env: { SPANWISE_GUARDRAIL_RATE: '1000000' } });
  try {
    const { cookie, projectId } = await service.signIn();
    for (const guardrail of guardrails) {
      const body = JSON.stringify(guardrail);
      const made = await fetch(`${service.url}/v1/projects/${projectId}/guardrails`, {
        method: 'POST',
        headers: { cookie, ...json },
        body,
      });
      if (made.status !== 201) throw new Error(`${guardrail.slug} was answered with ${made.status}: ${await made.text()}`);
    }
    return [...(await overHttp(service, size)), ...figures, await besideLongTexts(service, size.seconds)];
  } finally {
    await service.stop('SIGKILL');
    await directory.remove();
  }
}

function textOf(piece: string, kibibytes: number): string {
  return piece.repeat(Math.ceil((kibibytes * 1024) / piece.length)).slice(0, kibibytes * 1024);
}

function localFigures(bundle: Bundle): Figure[] {
  // As a request has it: one piece, not parts of other strings. After 3,000 checks the code is compiled for good.
  const text = JSON.parse(JSON.stringify(textOf(prose, 2))) as string;
  for (let run = 0; run < 3_000; run += 1) checkText(bundle, { text });
  const micros = Array.from({ length: 200 }, () => millisecondsOf(() => checkText(bundle, { text })) * 1_000);
  const long = hostile.map((piece) => millisecondsOf(() => checkText(bundle, { text: textOf(piece, 256) })));
  return [
    { title: 'local check of 2 KiB against 20 guardrails, median', values: [quantile(micros, 0.5)], unit: 'µs' },
    {
      title: 'local check of 256 KiB of the slowest hostile kind',
      values: [Math.max(...long)],
      unit: 'ms',
      wanted: { most: 1_000 },
    },
  ];
}

function millisecondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function overHttp(service: Service, { rounds, seconds }: { rounds: number; seconds: number }): Promise<Figure[]> {
  const body = Buffer.from(JSON.stringify({ text: textOf(prose, 2) }));
  const headers = { 'x-api-key': service.apiKey, ...json };
  const bare = await startProgram(join(import.meta.dirname, 'bare-fastify.mjs'));
  const ask = async (url: string, length: number) => {
    const { perSecond, refused } = await httpLoad(
      url,
      repeatedFor(length, requestBytes('POST', url, headers, body)),
      connections,
    );
    if (refused > 0) throw new Error(`${refused} requests to ${url} were refused`);
    return perSecond;
  };
  const url = `${service.url}/v1/guardrails/check`;
  const bareUrl = `http://127.0.0.1:${bare.port}/`;
  await ask(url, 1);
  await ask(bareUrl, 1);
  const ratios: number[] = [];
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    const denominator = await ask(bareUrl, seconds);
    const numerator = await ask(url, seconds);
    ratios.push(numerator / denominator);
    best = Math.max(best, numerator);
  }
  bare.child.disconnect();
  return [
    {
      title: 'check of 2 KiB against 20 guardrails ÷ bare Fastify route, same body',
      values: ratios,
      unit: '',
      wanted: { least: 0.4 },
    },
    { title: '– checks, best round', values: [best], unit: 'a second' },
  ];
}

/** The latency of another request, 99th percentile, while long texts are checked ÷ at rest. */
async function besideLongTexts(service: Service, seconds: number): Promise<Figure> {
  const headers = { 'x-api-key': service.apiKey };
  const other = async () => {
    const started = performance.now();
    const answer = await fetch(`${service.url}/v1/policy-bundle`, { headers });
    await answer.arrayBuffer();
    return performance.now() - started;
  };
  const timesWhile = async (busy: () => boolean) => {
    const times: number[] = [];
    while (busy()) times.push(await other());
    return times;
  };
  const until = performance.now() + seconds * 1_000;
  const idle = await timesWhile(() => performance.now() < until);
  let waiting = longTexts;
  const checks = Array.from({ length: longTexts }, async (_, index) => {
    const body = JSON.stringify({ text: textOf(hostile[index % hostile.length] ?? '', 256) });
    const answer = await fetch(`${service.url}/v1/guardrails/check`, { method: 'POST', headers: { ...headers, ...json }, body });
    await answer.arrayBuffer();
    waiting -= 1;
    if (answer.status !== 200) throw new Error(`a long text was answered with ${answer.status}`);
  });
  const beside = await timesWhile(() => waiting > 0);
  await Promise.all(checks);
  const [atRest, under] = [quantile(idle, 0.99), quantile(beside, 0.99)];
  return {
    title: `another request, p99, while ${longTexts} texts of 256 KiB are checked ÷ at rest`,
    values: [under / atRest],
    unit: '',
    wanted: { most: 2 },
    detail: `${under.toFixed(1)} ÷ ${atRest.toFixed(1)} ms, ${beside.length} requests`,
  };
}
