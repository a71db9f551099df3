// A process of its own for the tests: takes the directory it is given, says how that went, and keeps it until it is killed.
import { openDataDirectory } from './data-directory.ts';

try {
  const directory = await openDataDirectory(process.argv[2] ?? '');
  process.stdout.write(`owner ${directory.path}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`);
}
