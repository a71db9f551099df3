// Prepares a clone, on Node 20 or later: runs `npm ci` when node_modules differs from package-lock.json. With `--dashboard` it also builds the
// dashboard when that is missing or older than its sources.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
// The hash of the lockfile that was installed. npm ci empties node_modules first and removes it.
const marker = join(modules, '.spanwise-lock');
/** Held while npm runs; contains the process id of the holder. */
const installLock = join(root, '.spanwise-installing');
const refreshMs = 10_000;
/** A lock that was not refreshed for so long is abandoned, whatever its process id: after a container restart ids are reused. */
const abandonedMs = 120_000;

const lockText = readFileSync(join(root, 'package-lock.json'));
const wanted = createHash('sha256').update(lockText).digest('hex');

/** Whether node_modules matches the lockfile: by the marker, or, when npm was run by hand, by npm's own record of the installation. */
function matches() {
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return true;
  if (!recordMatches()) return false;
  writeFileSync(marker, wanted);
  return true;
}

function recordMatches() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  let installed;
  try {
    installed = JSON.parse(readFileSync(record, 'utf8')).packages ?? {};
  } catch {
    return false;
  }
  const named = JSON.parse(lockText.toString()).packages;
  const same = (path, { version, integrity, optional, link, resolved }) => {
    if (link === true) return linksTo(join(root, path), join(root, resolved));
    const there = installed[path];
    // Optional packages of other platforms are not installed.
    if (!there) return optional === true;
    return there.version === version && (!integrity || !there.integrity || there.integrity === integrity);
  };
  return (
    Object.entries(named).every(([path, entry]) => path === '' || same(path, entry)) &&
    Object.keys(installed).every((path) => path in named)
  );
}

/** Whether a workspace's entry in node_modules leads to its folder. */
function linksTo(path, folder) {
  try {
    return realpathSync(path) === realpathSync(folder);
  } catch {
    return false;
  }
}

/** Takes the lock; null when another process holds it. Two installations at once would delete each other's files. */
function takeLock() {
  const mine = `${installLock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, installLock);
    return {
      release: () => rmSync(installLock, { force: true }),
      refresh: () => existsSync(installLock) && utimesSync(installLock, new Date(), new Date()),
      // npm survives when this process is killed; its process id keeps the lock then.
      handTo: (pid) => writeFileSync(installLock, String(pid)),
    };
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return null;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes the lock of a process that ended without releasing it. True when the lock can be tried again. */
function removeAbandonedLock() {
  const since = statSync(installLock, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return true;
  const isAbandoned = Date.now() - since > abandonedMs;
  const holder = readText(installLock);
  if (!isAbandoned && isAlive(Number(holder))) return false;
  const aside = `${installLock}.abandoned-${process.pid}`;
  try {
    renameSync(installLock, aside);
    // Another process took the lock meanwhile: put it back.
    if (readText(aside) !== holder) linkSync(aside, installLock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return true;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  // The lock is being written or was just removed.
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Resolves with npm's exit code. */
function npmCi(onStart) {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  // Also with NODE_ENV=production: what builds the dashboard is a development dependency, the Node that runs the service an optional one.
  const child = spawn(
    command,
    [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (child.pid !== undefined) onStart(child.pid);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`spanwise: npm does not start: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function install() {
  let waiting = false;
  while (!matches()) {
    const lock = takeLock();
    if (lock === null) {
      if (removeAbandonedLock()) continue;
      if (!waiting)
        console.log(`spanwise: waiting for another process that is installing (if there is none, remove ${installLock})`);
      waiting = true;
      await delay(250);
      continue;
    }
    const refreshing = setInterval(lock.refresh, refreshMs);
    try {
      if (matches()) return 0;
      const why = existsSync(modules) ? 'node_modules differs from package-lock.json' : 'node_modules is missing';
      console.log(
        `spanwise: running npm ci because ${why}; this takes about a minute, once for each change of package-lock.json`,
      );
      const status = await npmCi(lock.handTo);
      if (status !== 0) {
        console.error('spanwise: npm ci failed; correct what its message above says and run the command again');
        return status;
      }
      writeFileSync(marker, wanted);
    } finally {
      clearInterval(refreshing);
      lock.release();
    }
  }
  return 0;
}

/** The service runs without the dashboard too, and answers its pages with an explanation. */
function buildDashboard() {
  const scripts = ['run.mjs', 'build-dashboard.mjs'].map((name) => join(root, 'scripts', name));
  const { status } = spawnSync(process.execPath, scripts, { cwd: root, stdio: 'inherit' });
  if (status !== 0) console.error('spanwise: continuing without the dashboard; correct the error above and run: npm run build');
}

const status = await install();
if (status !== 0) process.exit(status);
// scripts/spanwise.mjs imports this file: `spanwise serve` needs the dashboard.
if (process.argv.includes('--dashboard') || process.argv[2] === 'serve') buildDashboard();
