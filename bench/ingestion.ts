import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import type { Service } from '../test/support/service.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { httpLoad, requestBytes } from './http-load.ts';
import { otlpBodies, singleSpanBodies } from './load.ts';
import { cpuMicroseconds } from './machine.ts';
import { residentMegabytes, startProgram } from './processes.ts';

export interface IngestionSize {
  rounds: number;
  /** Bodies of 512 spans in a round. */
  bodies: number;
  /** Bodies of one span in a round. */
  singles: number;
  /** Spans for which the time until they can be read is measured. */
  probes: number;
}

const protobuf = { 'content-type': 'application/x-protobuf' };
const gzipped = { ...protobuf, 'content-encoding': 'gzip' };
const spansABody = 512;
/** Burst of an API key (docs/semantics.md, "Rate limit"). */
const requestsAKey = 300;

/**
 * Acknowledging and writing spans, compared with a bare Node server (`baseline-server.mjs`) that gunzips and decodes the same bodies and stores
 * nothing. Every body is sent once to each: a span that is sent again costs more than a new one.
 */
export async function benchIngestion({ rounds, bodies, singles, probes }: IngestionSize): Promise<Figure[]> {
  const directory = await temporaryDataDirectory();
  const service = await startService({ dataDirectory: directory.path });
  const bare = await startProgram(join(import.meta.dirname, 'baseline-server.mjs'));
  const bareUrl = `http://127.0.0.1:${bare.port}/`;
  const url = `${service.url}/v1/traces`;
  const session = await service.signIn();
  const keys = await keysFor(service, session, (rounds + 1) * bodies + rounds * singles);
  const send = (target: string, headers: Record<string, string>, made: readonly Buffer[], connections: number) => {
    const requests = made.map((body) => requestBytes('POST', target, { ...headers, 'x-api-key': keys.next().value ?? '' }, body));
    return httpLoad(target, requests, connections);
  };
  const ratios = { acknowledged: [] as number[], written: [] as number[], single: [] as number[] };
  const rates = { acknowledged: [] as number[], written: [] as number[], cpu: [] as number[] };
  let highest = 0;
  const watch = setInterval(() => (highest = Math.max(highest, residentMegabytes(service.child.pid))), 200);
  try {
    await send(url, gzipped, otlpBodies(Math.ceil(bodies / 4)), 6);
    await send(bareUrl, gzipped, otlpBodies(Math.ceil(bodies / 4)), 6);
    await written(service, session);
    for (let round = 0; round < rounds; round++) {
      const made = otlpBodies(bodies);
      const denominator = (await send(bareUrl, gzipped, made, 6)).perSecond;
      const cpu = cpuMicroseconds(service.child.pid);
      const started = performance.now();
      const { perSecond, refused } = await send(url, gzipped, made, 6);
      if (refused > 0) throw new Error(`${refused} bodies were refused`);
      await written(service, session);
      const sustained = bodies / ((performance.now() - started) / 1000);
      rates.cpu.push((cpuMicroseconds(service.child.pid) - cpu) / (bodies * spansABody));
      ratios.acknowledged.push(perSecond / denominator);
      rates.acknowledged.push(perSecond * spansABody);
      ratios.written.push(sustained / denominator);
      rates.written.push(sustained * spansABody);
      const one = singleSpanBodies(singles);
      const bareSingle = await send(bareUrl, protobuf, one, 64);
      const single = await send(url, protobuf, one, 64);
      if (single.refused > 0) throw new Error(`${single.refused} single spans were refused`);
      ratios.single.push(single.perSecond / bareSingle.perSecond);
      await written(service, session);
    }
    const readable = await timeToRead(service, session.projectId, probes);
    return [
      { title: 'durable OTLP acknowledgements ÷ bare server', values: ratios.acknowledged, unit: '', wanted: { least: 2 } },
      { title: '– acknowledged', values: rates.acknowledged, unit: 'spans/s' },
      { title: 'all the way into ClickHouse ÷ bare server', values: ratios.written, unit: '', wanted: { least: 1.2 } },
      { title: '– written', values: rates.written, unit: 'spans/s' },
      { title: '– CPU of a span, from the request to its rows', values: rates.cpu, unit: 'µs' },
      { title: 'single-span durable POSTs ÷ bare server', values: ratios.single, unit: '', wanted: { least: 0.6 } },
      {
        title: 'acknowledged → readable, p99',
        values: [quantile(readable, 0.99)],
        unit: 'ms',
        wanted: { most: 2000 },
        detail: `${probes} spans, among 2,000 others a second; median ${Math.round(quantile(readable, 0.5))} ms`,
      },
      { title: 'resident memory under full load', values: [highest], unit: 'MB', wanted: { most: 4096 } },
    ];
  } finally {
    clearInterval(watch);
    bare.child.disconnect();
    await service.stop('SIGKILL');
    await directory.remove();
  }
}

type Session = Awaited<ReturnType<Service['signIn']>>;

/** API keys, each repeated as often as its burst allows; enough for all requests without a refusal. */
async function keysFor(service: Service, { cookie, projectId }: Session, requests: number): Promise<Iterator<string>> {
  const made: string[] = [];
  // Twice the number: requests to the bare server take keys too.
  for (let index = 0; index < Math.ceil((2 * requests) / requestsAKey) + 1; index++) {
    const answer = await fetch(`${service.url}/v1/projects/${projectId}/api-keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `load ${index}` }),
    });
    made.push(((await answer.json()) as { key: string }).key);
  }
  return Iterator.from(made).flatMap((key) => Array.from({ length: requestsAKey }, () => key));
}

/** Waits until all events of the project are in ClickHouse. */
async function written(service: Service, { cookie, projectId }: Session): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.url}/v1/projects/${projectId}/ingest-health`, { headers: { cookie } });
    if (((await answer.json()) as { pendingEvents: number }).pendingEvents === 0) return;
    await delay(50);
  }
}

/** Milliseconds from the 2xx of a span until its trace can be read, for spans sent one after the other beside other load. */
async function timeToRead(service: Service, projectId: string, probes: number): Promise<number[]> {
  const headers = { 'x-api-key': service.apiKey };
  const others = otlpBodies(100);
  let stop = false;
  const background = (async () => {
    for (let index = 0; !stop && index < others.length; index++) {
      await fetch(`${service.url}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, ...gzipped },
        body: others[index] ?? null,
      });
      await delay(250);
    }
  })();
  const times: number[] = [];
  for (let probe = 0; probe < probes; probe++) {
    const traceId = randomUUID();
    const span = { type: 'span', traceId, spanId: 's', name: 'probe', startTime: new Date().toISOString() };
    const sent = await fetch(`${service.url}/v1/ingest`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(span),
    });
    if (sent.status !== 202) throw new Error(`a probe was answered with ${sent.status}`);
    const acknowledged = performance.now();
    while ((await fetch(`${service.url}/v1/projects/${projectId}/traces/${traceId}`, { headers })).status !== 200)
      await delay(20);
    times.push(performance.now() - acknowledged);
  }
  stop = true;
  await background;
  return times;
}
