import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../rounds/random.ts';
import { canCompileLayer, DiskLayerLibrary, operations, parts } from './disk-layer.ts';
import type { DiskLayer, LayerFaults } from './disk-layer.ts';
import { cutPower, Snapshot } from './roll-back.ts';
import type { PowerCut } from './roll-back.ts';

const program = join(import.meta.dirname, 'disk-program.fixture.ts');
let library: DiskLayerLibrary;
let layer: DiskLayer;
let root: string;
let directory: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'spanwise-layer-'));
  if (canCompileLayer()) library = new DiskLayerLibrary();
});
afterAll(() => {
  library?.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  mkdirSync(join(directory, 'wal'));
  writeFileSync(join(directory, 'old'), 'old');
  if (canCompileLayer()) layer = library.layer(directory);
});

/** Runs the steps and returns the program's output. */
function run(steps: readonly string[], faults: Partial<LayerFaults> = {}): string {
  layer.set(faults);
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, directory, ...steps], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...layer.environment({ journaled: true }) },
  });
  expect(signal, stderr).toBe('SIGKILL');
  return stdout.trim();
}

const nothingMore: PowerCut = { names: 'ordered', survivors: 'none', random: () => 0 };

function afterPowerCut(steps: readonly string[], cut: Partial<PowerCut> = {}, faults: Partial<LayerFaults> = {}): string[] {
  const snapshot = new Snapshot(directory, `${directory}.before`);
  run(steps, faults);
  cutPower(snapshot, layer.journal, { ...nothingMore, ...cut });
  return listed();
}

/** Every file as `path=content`. */
function listed(): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => `${path.slice(directory.length + 1)}=${readFileSync(path, 'latin1')}`).toSorted();
}

describe.runIf(canCompileLayer())('a power cut', () => {
  test('loses unsynced changes and keeps synced ones', () => {
    expect(afterPowerCut(['write:a:1', 'sync:a', 'write:a:2', 'write:b:1', 'write:old:er'])).toEqual(['a=1', 'old=old']);
  });

  test('with all changes kept restores the directory', () => {
    const snapshot = new Snapshot(directory, `${directory}.before`);
    run(['write:a:1', 'make:d', 'write:d/b:2', 'rename:d:e', 'rename:a:old', 'write:e/b:3', 'write:c:4', 'remove:c']);
    const was = listed();
    expect(was).toEqual(['e/b=23', 'old=1']);
    snapshot.rollBack(readFileSync(layer.journal), null);
    expect(listed()).toEqual(was);
  });

  test('with ordered names a sync includes every earlier change of names', () => {
    expect(afterPowerCut(['write:a:1', 'sync:a', 'rename:a:b', 'write:c:1', 'sync:c', 'remove:c'])).toEqual([
      'b=1',
      'c=1',
      'old=old',
    ]);
    expect(afterPowerCut(['remove:old', 'sync:b'])).toEqual(['b=1', 'c=1', 'old=old']);
  });

  test('with strict names only a sync of the directory makes a name durable', () => {
    const strict = { names: 'strict' } as const;
    expect(afterPowerCut(['write:a:1', 'sync:a'], strict)).toEqual(['old=old']);
    expect(afterPowerCut(['write:a:1', 'sync:a', 'sync:.', 'rename:a:wal/a'], strict)).toEqual(['a=1', 'old=old']);
    expect(afterPowerCut(['rename:a:wal/a', 'sync:wal'], strict)).toEqual(['old=old', 'wal/a=1']);
  });

  test('unsynced pages survive independently and tear between sectors', () => {
    const random = new Random(1).next;
    const text = 'x'.repeat(100_000);
    const [file] = afterPowerCut(['write:a:1', 'sync:a', `write:a:${text}`], { survivors: 'some', random });
    expect(file?.startsWith('a=1')).toBe(true);
    const content = file?.slice('a='.length) ?? '';
    // The content of each piece after the first.
    const kinds = (unit: number) =>
      (content.match(new RegExp(`[^]{1,${unit}}`, 'g')) ?? []).slice(1).map((piece) => [...new Set(piece)].toSorted().join(''));
    expect(new Set(kinds(512))).toEqual(new Set(['x', '\0']));
    expect(new Set(kinds(4096))).toEqual(new Set(['x', '\0', '\0x']));
  });

  test('a part with forgotten syncs loses its changes', () => {
    const steps = ['write:wal/a:1', 'sync:wal/a', 'write:b:1', 'sync:b'];
    expect(afterPowerCut(steps, {}, { forgottenSyncs: parts.wal })).toEqual(['b=1', 'old=old', 'wal/a=']);
  });
});

describe.runIf(canCompileLayer())('the other faults', () => {
  test('a full disk accepts what fits, and overwrites', () => {
    const space = { parts: parts.wal, bytes: 5 };
    expect(run(['write:wal/a:123', 'write:wal/a:456', 'write:wal/b:1', 'write:b:123456'], { space })).toBe('ENOSPC\nENOSPC');
    expect(listed()).toEqual(['b=123456', 'old=old', 'wal/a=12345']);
    expect(layer.injected()).toBeGreaterThan(0);
    expect(run(['write:wal/a:6'], { space: null })).toBe('');
  });

  test('EIO on writes or syncs of a part', () => {
    const error = { parts: parts.wal, operations: operations.sync };
    expect(run(['write:wal/a:1', 'sync:wal/a', 'write:b:1', 'sync:b'], { error })).toBe('EIO');
    expect(run(['write:wal/a:2'], { error: { parts: parts.all, operations: operations.write } })).toBe('EIO');
    expect(listed()).toEqual(['b=1', 'old=old', 'wal/a=1']);
  });

  test('a kill before or after the nth operation of a part', () => {
    const kill = { parts: parts.wal, operations: operations.write, countdown: 2, afterwards: false };
    const steps = ['write:b:1', 'write:wal/a:1', 'write:wal/a:2', 'write:b:2'];
    run(steps, { kill });
    expect(listed()).toEqual(['b=1', 'old=old', 'wal/a=1']);
    run(steps, { kill: { ...kill, afterwards: true } });
    expect(listed()).toEqual(['b=11', 'old=old', 'wal/a=112']);
  });

  test('the clock jumps', () => {
    const ahead = Number(run(['now'], { clockOffsetMs: 3_600_000 })) - Date.now();
    expect(ahead).toBeGreaterThan(3_500_000);
    expect(ahead).toBeLessThanOrEqual(3_600_000);
    expect(existsSync(layer.journal)).toBe(true);
  });
});
