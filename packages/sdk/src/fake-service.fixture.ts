import { gunzipSync } from 'node:zlib';
import { Spanwise } from './index.ts';
import type { SpanwiseOptions } from './index.ts';
import { ManualClock } from './manual-clock.fixture.ts';

export interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** As sent. */
  bytes: Uint8Array;
  /** Decompressed. */
  text: string;
}

export type Sent = Record<string, unknown> & { type: string; name: string; spanId: string; traceId: string };

/** A `fetch` that keeps what is sent, and answers as the service does unless it is told otherwise. */
export class FakeService {
  readonly requests: SentRequest[] = [];
  /** Answers of the next requests; without one all is accepted. */
  readonly answers: Array<(request: SentRequest) => Response | Promise<Response>> = [];

  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const bytes = new Uint8Array((init.body as Uint8Array | undefined) ?? []);
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
    const request = { method: init.method ?? 'GET', path: new URL(String(url)).pathname, headers, bytes, text };
    this.requests.push(request);
    const answer = this.answers.shift() ?? accept;
    return answer(request);
  };

  /** Events of `POST /v1/ingest`, in their order. */
  events(): Sent[] {
    return this.requests.filter(({ path }) => path.endsWith('/v1/ingest')).flatMap(({ text }) => linesOf(text));
  }

  spans(): Sent[] {
    return this.events().filter(({ type }) => type === 'span');
  }

  /** The only span of a name. */
  span(name: string): Sent {
    const [span, ...others] = this.spans().filter((one) => one.name === name);
    if (!span || others.length > 0) throw new Error(`${others.length + (span ? 1 : 0)} spans are named ${name}`);
    return span;
  }
}

export function linesOf(text: string): Sent[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Sent);
}

function accept({ path, text }: SentRequest): Response {
  if (path === '/v1/sdk/whoami') return Response.json({ projectId: 'project-1' });
  if (path.endsWith('/changes')) return Response.json({ id: 'change-1', ...(JSON.parse(text) as object) }, { status: 201 });
  return Response.json({ accepted: text.trimEnd().split('\n').length, rejected: [] }, { status: 202 });
}

export interface TestClient {
  spanwise: Spanwise;
  service: FakeService;
  clock: ManualClock;
  errors: string[];
}

/** A client of a fake service, with a clock that the test moves. */
export function openTestClient(options: SpanwiseOptions = {}): TestClient {
  const service = new FakeService();
  const clock = new ManualClock();
  const errors: string[] = [];
  const onError = (error: Error) => errors.push(error.message);
  const all = { apiKey: 'spw_key', fetch: service.fetch, onError, ...options };
  return { spanwise: new Spanwise(all, { clock, random: () => 0.5 }), service, clock, errors };
}

/** What was sent, after a call with a client. */
export async function sentBy(call: (spanwise: Spanwise) => unknown, options: SpanwiseOptions = {}) {
  const client = openTestClient(options);
  let thrown: unknown;
  let result: unknown;
  try {
    result = await call(client.spanwise);
  } catch (error) {
    thrown = error;
  }
  await client.clock.advance(0);
  await flushed(client);
  return { ...client, result, thrown };
}

/** Resolves when nothing is queued. */
export async function flushed({ spanwise, clock }: { spanwise: Spanwise; clock: { advance(ms: number): Promise<void> } }) {
  const flush = spanwise.flush();
  while (spanwise.delivery().queued > 0) await clock.advance(1);
  await flush;
}

/** The spans that a client recorded, after what is under way. */
export async function spansOf(client: TestClient): Promise<Sent[]> {
  await flushed(client);
  return client.service.spans();
}
