// Runs a file on the Node that the repository installs, whatever version the machine has:
//   node scripts/run.mjs FILE [ARGUMENTS]
// The service is started again when a fatal signal or its watchdog has ended it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedNode } from './installed-node.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const given = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const recent = major > 22 || (major === 22 && minor >= 18);
const executable = installedNode(root) ?? (recent ? process.execPath : null);

if (executable === null) {
  console.error(
    `spanwise needs Node 22.18 or later, and this is ${process.version}; run \`npm ci --include=optional\`, which installs it where there is a package of it for this platform`,
  );
  process.exit(1);
}

/** Why a process may have ended by itself with a signal, by signal. */
const aborted = 'it gave up, as when the memory of its heap runs out';
const crashed = 'a fault in native code';
const fatal = {
  SIGABRT: aborted,
  SIGALRM: 'its main thread no longer answered',
  SIGSEGV: crashed,
  SIGBUS: crashed,
  SIGILL: crashed,
  SIGFPE: crashed,
  SIGTRAP: crashed,
};
/** Seconds before a start after a death, by how many deaths there were in a row; after the last the service stays down. */
const pauses = [1, 1, 2, 5, 10, 30, 30, 30, 30];
/** Milliseconds of life after which a death counts as the first. */
const healthyMs = 60_000;

const isService =
  resolve(given[0] ?? '') === join(root, 'src/main.ts') || (given[0]?.endsWith('src/cli/main.ts') && given[1] === 'serve');
let child = null;
let deaths = 0;

function start() {
  const startedAt = performance.now();
  // libuv's thread pool serves the database, password hashing and compression: its default of four threads is too few. The compile cache saves
  // about a second of each start. The IPC channel closes when this process ends, also by SIGKILL; the service then shuts down.
  child = spawn(executable, given, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { UV_THREADPOOL_SIZE: '16', NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env },
  });
  child.on('error', (error) => {
    console.error(`spanwise: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    child = null;
    if (performance.now() - startedAt > healthyMs) deaths = 0;
    if (isService && signal in fatal && !stopping) startAgain(signal);
    else process.exit(code ?? 128 + constants.signals[signal]);
  });
}

function startAgain(signal) {
  const pause = pauses[deaths];
  deaths += 1;
  const what = `spanwise: the service was ended by ${signal}: ${fatal[signal]} (the lines before this one say more)`;
  if (pause === undefined) {
    console.error(`${what}. It has ended so ${deaths} times in a row and is not started again`);
    process.exit(128 + constants.signals[signal]);
  }
  console.error(`${what}. It is started again in ${pause} s`);
  setTimeout(start, pause * 1000);
}

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    stopping = true;
    if (child === null) process.exit(128 + constants.signals[signal]);
    child.kill(signal);
  });
// Under npm this process ends when npm has ended, also by SIGKILL. The scripts of package.json use `exec`: a shell in between would not pass
// npm's signals on, and would outlive npm.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 250).unref();
}
start();
