import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../support/service.ts';
import { canCompileLayer, DiskLayerLibrary, parts } from '../layer/disk-layer.ts';

// With some space the directory is locked, and the embedded PostgreSQL fails.
test.runIf(canCompileLayer()).each([0, 4_194_304])(
  'a first start on a disk with room for %d bytes ends with a line that names the disk',
  { timeout: 120_000 },
  async (bytes) => {
    const temporary = await temporaryDataDirectory();
    const library = new DiskLayerLibrary();
    const dataDirectory = join(temporary.path, 'data');
    const layer = library.layer(dataDirectory);
    layer.set({ space: { parts: parts.all, bytes } });
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../../../src/main.ts')], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        ...layer.environment({ journaled: false }),
        SPANWISE_PORT: '0',
        SPANWISE_DATA_DIR: dataDirectory,
        SPANWISE_LOG_LEVEL: 'error',
      },
      timeout: 100_000,
    });
    expect(status).toBe(1);
    const line = /^spanwise cannot start: (.*)$/m.exec(stderr)?.[1];
    expect(line).toContain(dataDirectory);
    expect(line).toMatch(/full.*free some space/);
    layer.close();
    library.close();
    await temporary.remove();
  },
);
