// A test process: locks the given directory, prints the result, and holds the lock until it is killed.
import { openDataDirectory } from './data-directory.ts';

try {
  const directory = await openDataDirectory(process.argv[2] ?? '');
  process.stdout.write(`owner ${directory.path}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`);
}
