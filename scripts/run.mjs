// Runs a file on the Node that the repository installs (node_modules/node), whatever version the machine has:
//   node scripts/run.mjs FILE [ARGUMENTS]
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const installed = join(root, 'node_modules', 'node', 'bin', 'node');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const recent = major > 22 || (major === 22 && minor >= 18);
const executable = existsSync(installed) ? installed : recent ? process.execPath : null;

if (executable === null) {
  console.error(
    `spanwise needs Node 22.18 or later, and this is ${process.version}; run \`npm ci\`, which installs it (or \`npm rebuild node --ignore-scripts=false\` if npm skips install scripts)`,
  );
  process.exit(1);
}

// libuv's thread pool serves the database, password hashing and compression: its default of four threads is too few. The compile cache saves
// about a second of each start. The IPC channel closes when this process ends, also by SIGKILL; the service then shuts down.
const child = spawn(executable, process.argv.slice(2), {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { UV_THREADPOOL_SIZE: '16', NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env },
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// Under npm this process ends when npm has ended, also by SIGKILL. The scripts of package.json use `exec`: a shell in between would not pass
// npm's signals on, and would outlive npm.
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
