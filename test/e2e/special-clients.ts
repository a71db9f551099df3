import type { Service } from '../support/service.ts';
import { hostileName } from './special-traces.ts';

const sdk = (version: string, id: string, dropped: string) => ({
  'x-spanwise-client': `sdk-js/${version}; sent=120; accepted=110; rejected=1; ${dropped}; queued=0; id=${id.padStart(16, '0')}`,
});

/** The headers of an SDK client that drops nothing. */
export const healthyClient = sdk('1.4.0', 'a', 'queue_full=0; too_old=0; refused=0');

const rejected = [
  { path: '/v1/ingest', body: '{"type":"span"}', headers: { ...sdk('1.3.2', 'b', 'queue_full=2310; too_old=12; refused=4') } },
  { path: '/v1/ingest', body: 'a,b', headers: { ...sdk('1.3.2', 'b', ''), 'content-type': 'text/csv' } },
  { path: '/v1/ingest', body: '{}', headers: { 'user-agent': 'curl/8.14.1' } },
  { path: '/v1/ingest', body: '{}', headers: { 'user-agent': `${'long-'.repeat(20)}/${'9'.repeat(60)}` } },
] as const;

const otlpSpan = { traceId: '0'.repeat(32), spanId: '1'.repeat(16), name: 'n', startTimeUnixNano: '1' };
const scopes = [
  { name: '@opentelemetry/instrumentation-openai', version: '0.21.0' },
  { name: hostileName, version: '1' },
  { name: '', version: '' },
];

/** Sends requests of further clients, whose events are all rejected. */
export async function specialClients(service: Service): Promise<void> {
  const post = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, ...headers },
      body,
    });
    await answer.arrayBuffer();
  };
  for (const { path, body, headers } of rejected) await post(path, body, { 'content-type': 'application/x-ndjson', ...headers });
  const request = { resourceSpans: [{ scopeSpans: scopes.map((scope) => ({ scope, spans: [otlpSpan] })) }] };
  await post('/v1/traces', JSON.stringify(request), {
    'content-type': 'application/json',
    'user-agent': 'OTel-OTLP-Exporter-Python/1.38.0',
  });
}
