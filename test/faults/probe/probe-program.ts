// Asks each URL in argv in turn, every 20 ms, in a process of its own, until it is told to end. The first argument is a cookie, or empty. Sends the milliseconds of each
// answer: an array for each URL.
import { setTimeout as delay } from 'node:timers/promises';

const [cookie = '', ...urls] = process.argv.slice(2);
const times: number[][] = urls.map(() => []);
let goesOn = true;
process.once('message', () => (goesOn = false));
process.send?.('ready');
while (goesOn) {
  for (const [index, url] of urls.entries()) {
    const beganMs = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    times[index]?.push(performance.now() - beganMs);
  }
  await delay(20);
}
process.send?.(times);
process.disconnect();
