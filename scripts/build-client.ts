import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { clientTypes } from '../web/client-types.ts';

// Writes the dashboard's types of the service, web/src/api/service.ts, from the OpenAPI document of a service on empty stores.
const directory = mkdtempSync(join(tmpdir(), 'spanwise-client-'));
try {
  const config = readConfig({ SPANWISE_PORT: '0', SPANWISE_DATA_DIR: directory });
  const app = await startApp(config, { log: pino({ level: 'silent' }), jobs: false });
  const document = (await (await fetch(`${app.url}/v1/openapi.json`)).json()) as Parameters<typeof clientTypes>[0];
  await app.close();
  writeFileSync(join(import.meta.dirname, '../web/src/api/service.ts'), await clientTypes(document));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
