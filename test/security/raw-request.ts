import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface RawRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
}

export interface RawAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  /** Decompressed. */
  body: Buffer;
}

/** An answer that takes longer is a fault. */
const timeoutMs = 20_000;

/** Sends a request as it is, also one that fetch() refuses. Rejects when there is no answer within 20 s. */
export function sendRaw(url: string, { method, path, headers, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, method, path, headers, timeout: timeoutMs }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode = 0, headers: told } = answer;
        resolve({ status: statusCode, headers: told, body: inflated(Buffer.concat(chunks), told['content-encoding']) });
      });
      answer.on('error', reject);
    });
    sending.on('timeout', () => sending.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    sending.on('error', reject);
    sending.end(body ?? undefined);
  });
}

function inflated(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}
