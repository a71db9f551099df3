import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeApiKey } from '../../src/contract/api-key.ts';
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
async function started(secret: string): Promise<{ status: number; errors: string }> {
  let errors = '';
  const log = openLog('error', { write: (line) => void (errors += line) });
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: directory.path,
    SPANWISE_API_KEY: apiKey,
    SPANWISE_SECRET_KEY: secret,
  });
  const app = await startApp(config, { log, jobs: false });
  const { status } = await fetch(`${app.url}/v1/sdk/whoami`, { headers: { 'x-api-key': apiKey } });
  await app.close();
  return { status, errors };
}

test('the embedded service starts with another secret, says so, and goes on with the first one', async () => {
  copyStores(directory.path);
  const [first, other] = ['a'.repeat(64), 'b'.repeat(64)];
  expect(await started(first)).toEqual({ status: 200, errors: '' });
  const changed = await started(other);
  expect(changed.status).toBe(200);
  expect(changed.errors).toContain('SPANWISE_SECRET_KEY: the credentials in this database are encrypted with another key');
  expect(changed.errors).not.toContain(other);
  expect(await started(first)).toEqual({ status: 200, errors: '' });
});
