// Makes a fresh clone ready, on any Node from 20 on: runs `npm ci` when node_modules is not what package-lock.json says. What serves the
// dashboard gives `--dashboard`, which builds that when it is missing or older than its sources.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
// npm ci empties node_modules first, so a marker in there never outlives what it speaks for.
const marker = join(modules, '.spanwise-lock');
const turn = join(root, '.spanwise-installing');
const beatMs = 10_000;
/** For a holder whose process number means nothing here, as after the restart of a container. */
const silentMs = 120_000;

const lockText = readFileSync(join(root, 'package-lock.json'));
const wanted = createHash('sha256').update(lockText).digest('hex');

/** Whether node_modules is what the lockfile says: by our marker, or, where somebody else ran npm, by npm's own record of it. */
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
  const same = (path, { version, integrity, optional, link }) => {
    const there = installed[path];
    // Optional packages are those of other platforms too.
    if (!there) return optional === true || link === true;
    return there.version === version && (!integrity || !there.integrity || there.integrity === integrity);
  };
  return (
    Object.entries(named).every(([path, entry]) => path === '' || same(path, entry)) &&
    Object.keys(installed).every((path) => path in named)
  );
}

/** Takes the turn to install; resolves with null when another process has it. Two installs at once would delete each other's files. */
function takeTurn() {
  const mine = `${turn}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, turn);
    return {
      end: () => rmSync(turn, { force: true }),
      beat: () => existsSync(turn) && utimesSync(turn, new Date(), new Date()),
      // npm goes on when this process is killed, and then holds the turn itself.
      handTo: (pid) => writeFileSync(turn, String(pid)),
    };
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return null;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes the turn of a process that ended without giving it back; tells whether there was one. */
function endAbandonedTurn() {
  const since = statSync(turn, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return true;
  const silent = Date.now() - since > silentMs;
  const holder = readText(turn);
  if (!silent && isAlive(Number(holder))) return false;
  const aside = `${turn}.abandoned-${process.pid}`;
  try {
    renameSync(turn, aside);
    // Somebody was quicker and has taken the turn: it is theirs.
    if (readText(aside) !== holder) linkSync(aside, turn);
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
  // Not there any more: nothing to remove.
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
  // Development dependencies bring the Node that everything runs on, so NODE_ENV=production must not leave them out.
  const child = spawn(command, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
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
    const mine = takeTurn();
    if (mine === null) {
      if (endAbandonedTurn()) continue;
      if (!waiting) console.log(`spanwise: waiting for another process that is installing (if there is none, remove ${turn})`);
      waiting = true;
      await delay(250);
      continue;
    }
    const beating = setInterval(mine.beat, beatMs);
    try {
      if (matches()) return 0;
      const why = existsSync(modules) ? 'node_modules is not what package-lock.json says' : 'there is no node_modules';
      console.log(`spanwise: running npm ci, since ${why}; this takes a minute and happens once for each change of the lockfile`);
      const status = await npmCi(mine.handTo);
      if (status !== 0) {
        console.error('spanwise: npm ci failed; see its message above, mend it and run the command again');
        return status;
      }
      writeFileSync(marker, wanted);
    } finally {
      clearInterval(beating);
      mine.end();
    }
  }
  return 0;
}

/** A dashboard that cannot be built keeps nothing else from running: its page then says so. */
function buildDashboard() {
  const scripts = ['run.mjs', 'build-dashboard.mjs'].map((name) => join(root, 'scripts', name));
  const { status } = spawnSync(process.execPath, scripts, { cwd: root, stdio: 'inherit' });
  if (status !== 0) console.error('spanwise: going on without the dashboard; mend what is said above and run: npm run build');
}

const status = await install();
if (status !== 0) process.exit(status);
// `spanwise serve` comes here too.
if (process.argv.includes('--dashboard') || process.argv[2] === 'serve') buildDashboard();
