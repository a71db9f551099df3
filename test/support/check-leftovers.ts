import { afterAll } from 'vitest';
import { watchProcess } from './process-leftovers.ts';

// Test files share a worker's process (`isolate: false`): leftovers of one could change the result of a later one.
const watched = watchProcess();

afterAll(async () => {
  const leftovers = await watched.leftovers();
  if (leftovers.length > 0) throw new Error(`the test file left behind in its process: ${leftovers.join(', ')}`);
});
