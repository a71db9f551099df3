import { expect, test } from 'vitest';
import { backupReport } from './backup.ts';

test.each([
  [
    { clickhouseUrl: 'http://ch.internal:8123/spanwise', clickhouseCluster: 'main' },
    'BACKUP DATABASE spanwise ON CLUSTER main TO ',
  ],
  [{ clickhouseUrl: 'http://ch.internal:8123', clickhouseCluster: null }, 'BACKUP DATABASE default TO '],
  [{ clickhouseUrl: null, clickhouseCluster: null }, 'BACKUP DATABASE <that of CLICKHOUSE_URL> TO '],
])('a backup beside servers says how to back up the database of %o', (config, statement) => {
  const manifest = { files: [], clickhouse: [], stores: 'servers' as const, secretKey: 'environment' as const };
  expect(backupReport(manifest, '/backup', config).join('\n')).toContain(statement);
});
