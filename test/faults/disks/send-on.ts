import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Ledger } from '../crash/crash-round.ts';

/** Sends one span on a connection that stays open, and records in the ledger whether it was acknowledged. Resolves with the status. */
export async function sendOn(socket: Socket, apiKey: string, { traceId, model, sent, acknowledged }: Ledger): Promise<number> {
  const spanId = randomBytes(8).toString('hex');
  const startTime = new Date().toISOString();
  const span = { type: 'span', traceId, spanId, name: 'call', kind: 'llm', model, costUsd: 0.25, startTime, endTime: startTime };
  const body = JSON.stringify(span);
  sent.add(spanId);
  const headers = `host: x\r\nx-api-key: ${apiKey}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}`;
  socket.write(`POST /v1/ingest HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer.toString('latin1'))?.[1]);
  if (status === 202) acknowledged.add(spanId);
  return status;
}
