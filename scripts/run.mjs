// Runs a file of the repository on the Node that it brings (node_modules/node), whatever the machine has:
//   node scripts/run.mjs FILE [ARGUMENTS]
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const brought = join(root, 'node_modules', 'node', 'bin', 'node');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const recent = major > 22 || (major === 22 && minor >= 18);
const executable = existsSync(brought) ? brought : recent ? process.execPath : null;

if (executable === null) {
  console.error(
    `spanwise needs Node 22.18 or later, and this is ${process.version}; run \`npm ci\`, which brings one (or \`npm rebuild node --ignore-scripts=false\` where npm skips install scripts)`,
  );
  process.exit(1);
}

// libuv's threads are shared by the database, password hashing and compression: its default of four is too few. Compiled modules are kept:
// reading TypeScript anew takes a second of each start.
// The channel tells the child when this process is gone, however it went.
const child = spawn(executable, process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { UV_THREADPOOL_SIZE: '16', NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env },
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// Under npm this process ends with npm, however that ended: nobody else would end it. The scripts of package.json say `exec`, so that no
// shell stands in between: it would keep npm's signals to itself, and outlive npm.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 250).unref();
}
child.on('error', (error) => {
  console.error(`spanwise: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
