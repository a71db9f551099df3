import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../contract/errors.ts';
import { Inflater } from './inflater.ts';

/**
 * A process of its own, so that its memory is that of the bombs: inflates what comes on stdin as argv[2] says, several times over, and
 * prints how it ended and by how many bytes the process grew at most.
 */
const body = await buffer(process.stdin);
const inflater = new Inflater();
const before = process.memoryUsage.rss();
let most = before;
// Not maxRSS: on Linux that begins with the peak of the parent.
const look = () => {
  most = Math.max(most, process.memoryUsage.rss());
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
process.stdout.write(JSON.stringify({ codes: [...codes], grown: most - before }));
