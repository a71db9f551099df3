import { expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../../test/support/service.ts';
import { caughtFatalSignals, openClickHouse } from './index.ts';

test.runIf(process.platform === 'linux')(
  'the embedded ClickHouse does not keep fatal signals, also when it is opened again',
  async () => {
    const directory = await temporaryDataDirectory();
    for (const time of ['first', 'second']) {
      const clickhouse = openClickHouse({
        url: null,
        dataDirectory: `${directory.path}/clickhouse`,
        temporaryDirectory: directory.path,
        cluster: null,
        tables: {},
      });
      expect(await clickhouse.systemQuery('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(caughtFatalSignals(), time).toEqual([]);
      await clickhouse.close();
    }
    await directory.remove();
  },
);
