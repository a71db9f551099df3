import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { traceRequestType } from './trace-request-type.ts';

/** Gzipped OTLP bodies of 512 spans with ids of their own, made from a recorded one; their times are a moment ago. */
export function otlpBodies(count: number): Buffer[] {
  const recorded = readFileSync(join(import.meta.dirname, '../test/fixtures/otlp/sdk-512-proto.01.bin'));
  const now = BigInt(Date.now()) * 1_000_000n;
  return Array.from({ length: count }, () => {
    const message = traceRequestType.decode(recorded) as unknown as {
      resourceSpans: Array<{ scopeSpans: Array<{ spans: Array<Record<string, unknown>> }> }>;
    };
    let offset = 0n;
    for (const span of message.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans))) {
      offset += 1_000_000n;
      Object.assign(span, {
        traceId: randomBytes(16),
        spanId: randomBytes(8),
        startTimeUnixNano: String(now - offset),
        endTimeUnixNano: String(now),
      });
    }
    return gzipSync(traceRequestType.encode(traceRequestType.fromObject(message)).finish());
  });
}

/**
 * Posts bodies in turn over a few connections for some time.
 *
 * @param headers of the nth request
 * @returns accepted requests a second, and how many were answered otherwise
 */
export async function drive(
  url: string,
  bodies: readonly Buffer[],
  headers: (index: number) => Record<string, string>,
  seconds: number,
  connections = 6,
): Promise<{ rate: number; refused: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let accepted = 0;
  let refused = 0;
  let index = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const at = index++;
        const status = await post(url, agent, bodies[at % bodies.length] ?? Buffer.alloc(0), headers(at));
        if (status === 200 || status === 202) accepted += 1;
        else refused += 1;
      }
    }),
  );
  agent.destroy();
  return { rate: accepted / ((performance.now() - started) / 1000), refused };
}

function post(url: string, agent: Agent, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': String(body.length) } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
