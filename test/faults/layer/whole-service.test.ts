import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newLedger, sendSpans } from '../servers/outage.ts';
import { compare, stored } from '../crash/crash-round.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { canCompileLayer, DiskLayerLibrary } from './disk-layer.ts';
import { Snapshot } from './roll-back.ts';

/** The content of a directory by path: a file's bytes, a link's target. Paths that are not journaled are omitted. */
function everything(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (/^(tmp|owner)/.test(path)) continue;
    const at = join(directory, path);
    const kind = lstatSync(at);
    found.set(path, kind.isSymbolicLink() ? readlinkSync(at) : kind.isDirectory() ? '' : readFileSync(at, 'base64'));
  }
  return found;
}

// A change that the layer does not see would make the power cuts meaningless.
test.runIf(canCompileLayer())(
  'the journal holds every change of the data directory since the first start',
  { timeout: 180_000 },
  async () => {
    const temporary = await temporaryDataDirectory();
    const library = new DiskLayerLibrary();
    try {
      const data = join(temporary.path, 'data');
      mkdirSync(data);
      const layer = library.layer(data);
      const snapshot = new Snapshot(data, join(temporary.path, 'before'));
      const service = await startService({ dataDirectory: data, env: layer.environment({ journaled: true }) });
      const ledger = newLedger(1);
      for (let request = 0; request < 10; request++) expect(await sendSpans(service, ledger, 5)).toMatchObject({ status: 202 });
      compare(ledger, await stored(service, ledger));
      expect(await service.stop('SIGTERM')).toBe(0);
      const replayed = join(temporary.path, 'replayed');
      snapshot.rollBack(readFileSync(layer.journal), null, replayed);
      const [was, is] = [everything(data), everything(replayed)];
      expect([...is.keys()].toSorted()).toEqual([...was.keys()].toSorted());
      expect([...was].filter(([path, content]) => is.get(path) !== content).map(([path]) => path)).toEqual([]);
      expect([...was.keys()].some((path) => path.startsWith('clickhouse/store/'))).toBe(true);
      layer.close();
    } finally {
      library.close();
      await temporary.remove();
    }
  },
);
