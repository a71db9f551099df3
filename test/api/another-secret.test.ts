import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeApiKey } from '../../src/contract/api-key.ts';
import type { StoreName } from '../../src/platform/installation/index.ts';
import { openLog } from '../../src/platform/log/index.ts';
import { temporaryDataDirectory } from '../support/service.ts';
import { copyStores } from '../support/store-templates.ts';

const apiKey = makeApiKey();
let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
beforeEach(async () => {
  directory = await temporaryDataDirectory();
});
afterEach(() => directory.remove());

/** The status of a read by key in a process with a secret, and what the process has logged as an error. */
async function started(secret: string, acceptMissing: StoreName[] = []): Promise<{ status: number; errors: string }> {
  let errors = '';
  const log = openLog('error', { write: (line) => void (errors += line) });
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: directory.path,
    SPANWISE_API_KEY: apiKey,
    SPANWISE_SECRET_KEY: secret,
  });
  const app = await startApp(config, { log, jobs: false, acceptMissing });
  const { status } = await fetch(`${app.url}/v1/sdk/whoami`, { headers: { 'x-api-key': apiKey } });
  await app.close();
  return { status, errors };
}

test('another secret is refused with what to do, unless the loss of what the first one encrypts is accepted', async () => {
  copyStores(directory.path);
  const [first, other] = ['a'.repeat(64), 'b'.repeat(64)];
  expect(await started(first)).toEqual({ status: 200, errors: '' });
  const refusal = await started(other).then(
    () => expect.unreachable('another secret was taken'),
    (error: Error) => error.message,
  );
  expect(refusal).toMatch(
    /the secret key \(SPANWISE_SECRET_KEY, .*\) belongs to another installation .*--accept-missing=secret$/,
  );
  expect(refusal).not.toContain(other);
  expect(await started(other, ['secret'])).toEqual({ status: 200, errors: '' });
  await expect(started(first)).rejects.toThrow('--accept-missing=secret');
});
