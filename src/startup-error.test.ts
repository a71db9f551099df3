import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startupError } from './startup-error.ts';

/** The line about the error of listening there. */
function refusalOf(host: string, port: number): Promise<string> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => resolve(startupError(error)));
    server.listen(port, host, () => server.close(() => reject(new Error(`${host}:${port} can be listened on`))));
  });
}

test('an address or a host that the machine does not have is named with its variable, in one line', async () => {
  expect(await refusalOf('192.0.2.1', 0)).toBe(
    'SPANWISE_HOST: this machine does not have the address 192.0.2.1; set one of its own, for example 127.0.0.1 or 0.0.0.0',
  );
  expect(await refusalOf('nowhere.invalid', 0)).toMatch(
    /^SPANWISE_HOST: the host nowhere\.invalid has no address \(E\w+\); set [^\n]*$/,
  );
});

test('a port that is taken, or that the user may not use, is one line', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  expect(await refusalOf('127.0.0.1', port)).toMatch(
    new RegExp(`^port ${port} is taken; .*SPANWISE_PORT .*SPANWISE_METRICS_PORT`),
  );
  await new Promise((resolve) => void other.close(resolve));
  const forbidden = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 });
  expect(startupError(forbidden)).toMatch(/^port 80 may not be used by this user; set SPANWISE_PORT /);
});
