// The denominator of starts and idle memory: opens the two embedded engines and nothing else, in the directory given as argument, with the data
// of an earlier run if there is some.
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
