// The denominator of starts and idle memory: opens only the two embedded engines, in the directory given as argument, which may have data of an
// earlier run.
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';

const directory = process.argv[2] ?? '';
const relational = await PGlite.create(join(directory, 'postgres'));
await relational.query('SELECT 1');
const analytical = createClient({ connection: createChdbConnection({ path: join(directory, 'clickhouse') }) });
await (await analytical.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json();
console.log('ready');
process.on('SIGTERM', () => relational.close().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(0));
