import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';

const answers = 6;
const mebibyte = 1_048_576;
const answerBytes = 8 * mebibyte - 1_000;
const mostMore = 300 * mebibyte;

/** A chunk of one byte each. */
const pieces = Buffer.from('1\r\na\r\n'.repeat(20_000));

test('answers of 8 MB in chunks of one byte take less than 300 MB', async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      let sent = 0;
      const more = () => {
        while (socket && !socket.destroyed && sent < answerBytes) {
          sent += 20_000;
          if (!socket.write(pieces)) return;
        }
        socket?.end('0\r\n\r\n');
      };
      socket?.on('error', () => undefined).on('drain', more);
      more();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { path: dataDirectory, remove } = await temporaryDataDirectory();
  copyStores(dataDirectory);
  const service = await startService({ dataDirectory, env: { SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8' } });
  try {
    const { cookie, projectId } = await service.signIn();
    const post = async (url: string, body: object): Promise<{ status: number; body: { error?: string | null } }> => {
      const answer = await fetch(`${service.url}/v1${url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as { error?: string | null } };
    };
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = { name: 'model', baseUrl, model: 'm', apiKey: 'sk-of-this-test' };
    expect((await post(`/projects/${projectId}/model-connections`, connection)).status).toBe(201);
    const prompt = { projectId, name: 'prompt', prompt: '{{input}}', labels: ['production'] };
    expect((await post('/prompts', prompt)).status).toBe(201);
    const resident = () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) * 1024;
    const before = resident();
    let most = 0;
    let asked = true;
    const watching = (async () => {
      for (; asked; await delay(20)) most = Math.max(most, resident());
    })();
    const target = { type: 'prompt', promptName: 'prompt', connection: 'model' };
    const tried = await Promise.all(
      Array.from({ length: answers }, () => post(`/projects/${projectId}/simulations/try`, { target, item: { input: 'x' } })),
    );
    asked = false;
    await watching;
    // Each has ended, with a sentence that tells why.
    for (const { status, body } of tried) expect([status, typeof body.error]).toEqual([200, 'string']);
    expect(most - before).toBeLessThan(mostMore);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  } finally {
    await service.stop();
    await remove();
    server.closeAllConnections();
    server.close();
  }
});
