// A test process: locks the given directory, prints the result, and holds the lock until it is killed. The second argument is a user that it becomes, once it is
// loaded: that user need not be able to read the program.
import { openDataDirectory } from './data-directory.ts';

const [, , directoryPath = '', user] = process.argv;
if (user !== undefined) process.setuid?.(Number(user));
try {
  const directory = await openDataDirectory(directoryPath);
  process.stdout.write(`owner ${directory.path}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`);
}
