// The process of the test of optimised code: creates a database, and runs statements often enough for V8 to optimise what they run.
import { openDurablePglite } from './durable-pglite.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { compilePglite } from './pglite-module.ts';

const directory = process.argv[2] ?? '';
await initialiseCluster(directory);
const database = await openDurablePglite(directory, compilePglite());
// Some 400 statements make V8 optimise the largest function that they run, of 105 kB, where nothing keeps it from that.
for (let statement = 0; statement < 600; statement++)
  await database.query('SELECT sum(number), max(number::text) FROM generate_series(1, 200) AS number WHERE number <> $1', [
    statement,
  ]);
await database.close();
