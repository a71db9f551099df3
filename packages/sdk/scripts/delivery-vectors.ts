import { changeChannel, eventChannel, outcomeChannel } from '../src/delivery/channel.ts';
import { Delivery } from '../src/delivery/delivery.ts';
import { ManualClock } from '../src/manual-clock.fixture.ts';
import { openService } from '../src/open-service.ts';
import { readSettings } from '../src/settings.ts';
import { chooser, generator } from './random.ts';

const count = 1_000;

type Kind = 'scores' | 'outcomes' | 'changes';
type Step =
  /** Records of so many bytes each. */
  { put: Kind; count: number; bytes: number } | { waitMs: number } | { flushMs: number };
/** How the service answers a request; all is stored when nothing is said. */
interface Reply {
  status?: number;
  retryAfter?: string;
  /** The connection is cut. */
  isCut?: boolean;
  /** The service is away from now on, for so long; requests that do not reach it are not listed. */
  awayMs?: number;
  /** Each so many-th line is rejected. */
  rejectsEvery?: number;
}

/** What is put into a queue and how the service answers; which requests leave, and what is counted. */
export interface DeliveryCase {
  maxQueue: number;
  flushMs: number;
  /** The random number of each pause. */
  random: number;
  steps: Step[];
  replies: Reply[];
  /** Records that wait after each step. */
  queued: number[];
  /** Milliseconds since the start, kind, number of the first record, records. */
  requests: Array<[atMs: number, kind: Kind, first: number, records: number]>;
  delivery: { sent: number; accepted: number; rejected: number; dropped: Record<string, number> };
}

/** Random courses of events, as this SDK's delivery answers them. A 401 is not among them: the SDK for Python keeps what it refuses. */
export async function deliveries(): Promise<DeliveryCase[]> {
  const random = generator(3);
  const choose = chooser(random);
  // Compression runs in threads, whose time is not that of the clock.
  const { CompressionStream: platforms } = globalThis;
  Reflect.deleteProperty(globalThis, 'CompressionStream');
  try {
    const cases: DeliveryCase[] = [];
    for (let index = 0; index < count; index += 1) cases.push(await run(scenario(random, choose, index % 250 === 0)));
    return cases;
  } finally {
    globalThis.CompressionStream = platforms;
  }
}

type Scenario = Pick<DeliveryCase, 'maxQueue' | 'flushMs' | 'random' | 'steps' | 'replies'>;

/** A course of events; in a long one the service is away for more than a day. */
function scenario(random: () => number, choose: <T>(from: readonly T[]) => T, isLong: boolean): Scenario {
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const kind = () => choose<Kind>(['scores', 'scores', 'scores', 'outcomes', 'changes']);
  const put = (): Step => ({ put: kind(), count: upTo(choose([3, 120])), bytes: choose([60, 60, 60, 60, 60, 300, 20_000]) });
  // Multiples of an eighth of a second are exact in seconds too.
  const wait = (): Step => ({ waitMs: 125 * Math.floor(random() * choose([8, 80, 400])) });
  const day = (): Step => ({ waitMs: 3_600_000 * upTo(30) });
  const flush = (): Step => ({ flushMs: 125 * upTo(80) });
  const status = (): Reply => ({ status: choose([429, 503, 500, 502, 408, 302, 403, 404, 413, 413]) });
  const asked = (): Reply => ({
    status: choose([429, 503, 503, 500]),
    retryAfter: choose(['0', '1', '2.5', '7', '60', '-1', 'soon', '1e1', '']),
  });
  const replies: Array<() => Reply> = [
    () => ({}),
    () => ({}),
    () => ({ isCut: true }),
    status,
    status,
    asked,
    () => ({ rejectsEvery: upTo(3) }),
  ];
  return {
    maxQueue: choose([40, 150, 10_000]),
    flushMs: choose([0, 1_000, 1_000, 5_000]),
    random: choose([0, 0.25, 0.5, 1]),
    steps: Array.from({ length: upTo(7) }, () => choose([put, put, put, wait, wait, wait, flush, ...(isLong ? [put] : [day])])()),
    replies: isLong ? [{ awayMs: 90_000_000 }] : Array.from({ length: Math.floor(random() * 8) }, () => choose(replies)()),
  };
}

const paths: ReadonlyMap<string, Kind> = new Map([
  ['/v1/ingest', 'scores'],
  ['/v1/ingest/outcomes', 'outcomes'],
  ['/v1/projects/p1/changes', 'changes'],
]);

async function run(scene: Scenario): Promise<DeliveryCase> {
  const clock = new ManualClock();
  const startMs = clock.now();
  const requests: DeliveryCase['requests'] = [];
  const replies = [...scene.replies];
  let awayUntilMs = -Infinity;
  const fetch = (url: unknown, init?: RequestInit): Promise<Response> => {
    if (clock.now() < awayUntilMs) return cut();
    const kind = paths.get(new URL(String(url)).pathname) ?? 'scores';
    const numbers = [...new TextDecoder().decode(init?.body as Uint8Array).matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
    requests.push([clock.now() - startMs, kind, numbers[0] ?? 0, numbers.length]);
    const reply = replies.shift() ?? {};
    awayUntilMs = clock.now() + (reply.awayMs ?? 0);
    return answer(reply, kind, numbers.length);
  };
  const settings = readSettings({ apiKey: 'spw_key', maxQueue: scene.maxQueue, flushMs: scene.flushMs, fetch });
  const service = openService(settings, { clock, random: () => scene.random }, () => {});
  const delivery = new Delivery(service, settings);
  const channels = { scores: eventChannel, outcomes: outcomeChannel, changes: changeChannel(() => Promise.resolve('p1')) };
  const queued: number[] = [];
  let made = 0;
  for (const step of scene.steps) {
    if ('waitMs' in step) await clock.advance(step.waitMs);
    if ('flushMs' in step) {
      const flushed = delivery.flush(step.flushMs);
      await clock.advance(step.flushMs);
      await flushed;
    }
    for (let index = 0; 'put' in step && index < step.count; index += 1) {
      made += 1;
      if (!delivery.isFull()) delivery.push(channels[step.put], line(made, step.bytes));
    }
    queued.push(delivery.counts.queued);
  }
  // Whatever is still to fail does so, and then nothing does.
  while (delivery.counts.queued > 0) await clock.advance(Math.max(0, Math.min(clock.untilNext(), 3_600_000)));
  const { sent, accepted, rejected, dropped } = delivery.counts;
  return { ...scene, queued, requests, delivery: { sent, accepted, rejected, dropped: { ...dropped } } };
}

/** A record of so many bytes. */
function line(number: number, bytes: number): string {
  const start = `{"n":${number},"x":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

function cut(): Promise<never> {
  return Promise.reject(new TypeError('fetch failed'));
}

function answer(
  { status, retryAfter, isCut, awayMs, rejectsEvery = Infinity }: Reply,
  kind: Kind,
  lines: number,
): Promise<Response> {
  if (isCut || awayMs) return cut();
  if (status !== undefined) {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return Promise.resolve(Response.json({ error: 'Not now.' }, { status, headers }));
  }
  if (kind === 'changes') return Promise.resolve(Response.json({ id: 'c1' }, { status: 201 }));
  const [place, first] = kind === 'scores' ? ['line', 1] : ['index', 0];
  const rejected = Array.from({ length: lines }, (_, index) => index).filter((index) => (index + 1) % rejectsEvery === 0);
  const body = {
    accepted: lines - rejected.length,
    rejected: rejected.map((index) => ({ [place]: index + first, code: 'invalid_request', error: 'It is wrong.' })),
  };
  return Promise.resolve(Response.json(body, { status: body.accepted === 0 ? 400 : 202 }));
}
