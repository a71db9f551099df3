import type { IncomingHttpHeaders } from 'node:http';
import type { ClientKind } from '../../../contract/ingest.ts';

/** What an SDK client has dropped since it started. */
export interface Dropped {
  queueFull: number;
  tooOld: number;
  refused: number;
}

/** Who sent a request. */
export interface Sender {
  kind: ClientKind;
  client: string;
  /** `''` when it says none. */
  version: string;
  /** Of an SDK client that names itself. */
  instance: { id: string; dropped: Dropped } | null;
}

/** Header of the SDK, with its name, version and counts since it started. */
const clientHeader = 'x-spanwise-client';
const maxHeader = 512;
const sdkName = /^([A-Za-z][A-Za-z0-9._-]{0,63})\/([A-Za-z0-9.+_-]{1,40})(?:;|$)/;
const instanceId = /^[0-9a-f]{16}$/;
/** A larger count cannot be a real one, and sums of it would not be exact. */
const maxCount = 1_000_000_000_000;

/** The sender of a request by its headers (docs/semantics.md, "Clients"). Of other values only a bounded, printable part is taken. */
export function senderOf(headers: IncomingHttpHeaders, kind: 'otlp' | 'http'): Sender {
  const named = headers[clientHeader];
  return (typeof named === 'string' && sdkSender(named)) || { kind, ...agentOf(headers['user-agent']), instance: null };
}

function sdkSender(header: string): Sender | null {
  if (header.length > maxHeader) return null;
  const [, client, version] = sdkName.exec(header) ?? [];
  if (client === undefined || version === undefined) return null;
  const fields = new Map<string, string>();
  for (const part of header.split(';').slice(1)) {
    const [name = '', value = ''] = part.split('=', 2);
    fields.set(name.trim(), value.trim());
  }
  const id = fields.get('id') ?? '';
  const dropped = {
    queueFull: countOf(fields.get('queue_full')),
    tooOld: countOf(fields.get('too_old')),
    refused: countOf(fields.get('refused')),
  };
  return { kind: 'sdk', client, version, instance: instanceId.test(id) ? { id, dropped } : null };
}

function countOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,13}$/.test(text) ? Math.min(Number(text), maxCount) : 0;
}

/** Name and version of a user agent, such as `OTel OTLP Exporter Go/1.28.0`. */
function agentOf(header: string | undefined): { client: string; version: string } {
  const text = (header ?? '').slice(0, maxHeader).replaceAll(/[^\x20-\x7e]/g, '');
  const [, client, version] = /^([^/();]{1,80})\/([^\s();,]{1,40})/.exec(text) ?? /^([^\s/();]{1,80})/.exec(text) ?? [];
  return { client: client?.trim() || 'unknown', version: version ?? '' };
}
