// Carries out its arguments as file operations in sequence, then kills itself: `write:a:text`, `sync:a`, `sync-directory:.`,
// `rename:a:b`, `remove:a`, `make:d`, `now`.
import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync } from 'node:fs';

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const [directory = '.', ...steps] = process.argv.slice(2);
process.chdir(directory);
for (const step of steps) {
  const [verb, path = '', more = ''] = step.split(':');
  try {
    if (verb === 'write') appendFileSync(path, more);
    else if (verb === 'sync') sync(path);
    else if (verb === 'rename') renameSync(path, more);
    else if (verb === 'remove') unlinkSync(path);
    else if (verb === 'make') mkdirSync(path);
    else if (verb === 'now') process.stdout.write(`${Date.now()}\n`);
  } catch (error) {
    process.stdout.write(`${(error as NodeJS.ErrnoException).code}\n`);
  }
}
process.kill(process.pid, 'SIGKILL');
