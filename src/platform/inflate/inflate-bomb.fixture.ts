import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../contract/errors.ts';
import { defaultLimits } from '../../features/ingest/ingest-limits.ts';
import { Inflater } from './inflater.ts';

/**
 * Runs as a process, so that its memory is that of the bombs: inflates stdin with the encoding of argv[2], several times, and prints the results
 * and by how many bytes the process grew at most.
 */
const body = await buffer(process.stdin);
const inflater = new Inflater(defaultLimits.inflatedBytes);
const before = process.memoryUsage.rss();
let highest = before;
// Not maxRSS, which on Linux starts at the parent's peak.
const look = () => {
  highest = Math.max(highest, process.memoryUsage.rss());
};
const looking = setInterval(look, 1);
const codes = new Set<string>();
for (let request = 0; request < 8; request++) {
  try {
    await inflater.inflate(body, process.argv[2]);
  } catch (error) {
    codes.add(error instanceof ServiceError ? error.code : String(error));
  }
  look();
}
clearInterval(looking);
process.stdout.write(JSON.stringify({ codes: [...codes], grown: highest - before }));
