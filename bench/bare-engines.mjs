// What the two embedded engines take when nothing is done with them: the denominator of the memory figures.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';

const directory = mkdtempSync(join(tmpdir(), 'spanwise-bare-'));
const relational = await PGlite.create(join(directory, 'postgres'));
await relational.query('SELECT 1');
const analytical = createClient({ connection: createChdbConnection({ path: join(directory, 'clickhouse') }) });
await (await analytical.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json();
console.log('ready');
process.on('disconnect', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
