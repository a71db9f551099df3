import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { propagation } from '@opentelemetry/api';
import type { TextMapPropagator } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { watchProcess } from './process-leftovers.ts';

test('an unchanged process has no leftovers', async () => {
  const watched = watchProcess();
  const server = createServer().listen(0);
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
  await new Worker('', { eval: true }).terminate();
  expect(await watched.leftovers()).toEqual([]);
});

test('a server, a child process and a thread that still run are found', async () => {
  const watched = watchProcess();
  const server = createServer().listen(0);
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const thread = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await Promise.all([once(server, 'listening'), once(child, 'spawn'), once(thread, 'online')]);
  expect(await watched.leftovers()).toEqual(['1 listening servers', '1 child processes', '1 threads']);
  const closed = once(child, 'close');
  child.stdin.end();
  await Promise.all([closed, thread.terminate(), new Promise((resolve) => server.close(resolve))]);
});

test('a changed variable, working directory and global are found', async () => {
  const watched = watchProcess();
  const [directory, original] = [process.cwd(), globalThis.fetch];
  process.env['SPANWISE_TEST_LEFTOVER'] = '1';
  process.chdir('/');
  globalThis.fetch = () => Promise.reject(new Error('replaced'));
  const leftovers = await watched.leftovers();
  globalThis.fetch = original;
  process.chdir(directory);
  delete process.env['SPANWISE_TEST_LEFTOVER'];
  expect(leftovers).toEqual(['another working directory', 'another variable SPANWISE_TEST_LEFTOVER', 'another fetch']);
});

test('what is registered with OpenTelemetry is found', async () => {
  const watched = watchProcess();
  const nothing: TextMapPropagator = { inject: () => undefined, extract: (context) => context, fields: () => [] };
  propagation.setGlobalPropagator(nothing);
  const leftovers = await watched.leftovers();
  propagation.disable();
  expect(leftovers).toEqual(['another OpenTelemetry']);
});
