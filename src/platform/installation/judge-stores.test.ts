import { expect, test } from 'vitest';
import type { InstallationRecord } from './installation-record.ts';
import { judgeStores } from './judge-stores.ts';
import type { StoreFacts } from './judge-stores.ts';

const record: InstallationRecord = { id: 'a', postgres: 'embedded', clickhouse: 'embedded', secret: 'file' };
const whole: StoreFacts = {
  postgres: { mode: 'embedded', found: { id: 'a', isComplete: true } },
  clickhouse: { mode: 'embedded', ids: ['a'] },
  log: 'a',
  record,
  secret: 'same',
};
const onServers: StoreFacts = {
  ...whole,
  postgres: { mode: 'server', found: { id: 'a', isComplete: true } },
  clickhouse: { mode: 'server', ids: ['a'] },
  record: { ...record, postgres: 'server', clickhouse: 'server' },
};
const emptyServers = { postgres: { mode: 'server', found: null }, clickhouse: { mode: 'server', ids: [] } } as const;
const other = { id: 'b', isComplete: true };

test.each<[string, StoreFacts, string | null, object]>([
  ['one installation', whole, 'a', {}],
  ['on servers', onServers, 'a', {}],
  [
    'nothing yet, or data from before',
    { ...whole, postgres: { mode: 'embedded', found: null }, clickhouse: { mode: 'embedded', ids: [] }, log: null, record: null },
    null,
    {},
  ],
  ['a new replica', { ...onServers, log: null, record: null }, 'a', {}],
  ['a volume without its log', { ...onServers, log: null }, 'a', { log: 'missing' }],
  ['a volume of another installation', { ...onServers, log: 'b', record: { ...record, id: 'b' } }, 'a', { log: 'other' }],
  [
    'an interrupted first start',
    {
      ...whole,
      postgres: { mode: 'embedded', found: { id: 'a', isComplete: false } },
      clickhouse: { mode: 'embedded', ids: [] },
      log: null,
      record: null,
    },
    'a',
    {},
  ],
  ['a move to servers', { ...whole, ...emptyServers, secret: 'unknown' }, 'a', {}],
  [
    'a server that is empty again',
    { ...onServers, ...emptyServers, secret: 'unknown' },
    'a',
    { postgres: 'missing', clickhouse: 'missing' },
  ],
  [
    'a server that is empty again, for a new replica',
    { ...onServers, clickhouse: { mode: 'server', ids: [] }, log: null, record: null },
    'a',
    { clickhouse: 'missing' },
  ],
  ['the URL of another database', { ...onServers, postgres: { mode: 'server', found: other } }, 'a', { postgres: 'other' }],
  ['the URL of another ClickHouse', { ...onServers, clickhouse: { mode: 'server', ids: ['b'] } }, 'a', { clickhouse: 'other' }],
  ['a ClickHouse that was accepted', { ...onServers, clickhouse: { mode: 'server', ids: ['0', 'a'] } }, 'a', {}],
  [
    'servers that are not named any more',
    { ...onServers, postgres: whole.postgres, clickhouse: whole.clickhouse },
    'a',
    { postgres: 'left', clickhouse: 'left' },
  ],
  ['another secret', { ...whole, secret: 'other' }, 'a', { secret: 'other' }],
  ['no secret', { ...whole, secret: 'missing' }, 'a', { secret: 'missing' }],
])('%s', (_name, facts, id, faults) => {
  const judged = judgeStores(facts);
  expect([judged.id, Object.fromEntries(judged.faults)]).toEqual([id, faults]);
});
