import type { IncomingMessage } from 'node:http';

/** A parsed request of ClickHouse's HTTP interface. */
export interface ClickHouseRequest {
  /** The statement; the rows of an insert are in {@link data}. */
  sql: string;
  /** The body of a request with `?query=`: rows in the statement's format. */
  data: Buffer | null;
  database: string | null;
  format: string;
  /** `SET` statements of the request's settings and `param_*`, as escaped text. */
  assignments: string[];
}

/** A request that a server refuses before it parses the SQL. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A server's default `http_max_field_value_size`: longest value of a URL parameter or of a part of a form. */
const longestField = 131_072;

/** Parameters for the HTTP interface, not passed to the engine. */
const ofTheServer = new Set([
  'query',
  'database',
  'default_format',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'quota_key',
  'role',
  'buffer_size',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'enable_http_compression',
]);

/** @param body the complete body */
export function readClickHouseRequest(request: IncomingMessage, body: Buffer): ClickHouseRequest {
  const fields = new Map(new URL(request.url ?? '/', 'http://server').searchParams);
  const boundary = /^multipart\/form-data;.*boundary=("?)([^";]+)\1/i.exec(request.headers['content-type'] ?? '')?.[2];
  const parts = boundary === undefined ? null : formParts(body, boundary);
  for (const [name, value] of parts ?? []) fields.set(name, value);
  for (const [name, value] of fields) {
    if (Buffer.byteLength(value) > longestField && name !== 'query')
      throw new RefusedRequest(500, 1000, 'HTML Form Exception: Field value too long');
  }
  const query = fields.get('query');
  const hasData = query !== undefined && parts === null && body.length > 0;
  return {
    sql: query ?? body.toString(),
    data: hasData ? body : null,
    database: fields.get('database') ?? null,
    format: fields.get('default_format') ?? 'TabSeparated',
    assignments: [...fields].filter(([name]) => !ofTheServer.has(name)).map(([name, value]) => assignment(name, value)),
  };
}

/** Text as a SQL string literal. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function assignment(name: string, value: string): string {
  if (!/^\w{1,200}$/.test(name)) throw new RefusedRequest(400, 115, `Unknown setting ${name}`);
  return `SET ${name} = ${literal(value)}`;
}

/** Parses a multipart form without files, with quoted names. */
function formParts(body: Buffer, boundary: string): Array<[string, string]> {
  return body
    .toString()
    .split(`--${boundary}`)
    .flatMap((part) => {
      const [, name, value] = /^\r\nContent-Disposition: form-data; name="([^"]+)"\r\n\r\n([\s\S]*)\r\n$/.exec(part) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as [string, string]];
    });
}
