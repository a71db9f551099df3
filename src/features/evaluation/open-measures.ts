import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock/clock.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { HttpClient } from '../../platform/net/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { ConnectionsContext } from './connections/connections-context.ts';
import { Judge } from './judge/judge.ts';
import type { JudgeOptions } from './judge/judge.ts';
import { MeasureThread } from './measure/measure-thread.ts';
import { Measures } from './measures.ts';

export interface MeasuresInput {
  database: Database;
  clock: Clock;
  /** The installation's secret, which encrypts the API keys of model connections. */
  secret: string;
  /** How the judge waits and gives up; for tests. */
  judge?: Partial<Pick<JudgeOptions, 'delay' | 'random' | 'timeoutMs'>>;
}

/** The measures with all that they need. */
export interface OpenedMeasures {
  measures: Measures;
  /** For the routes of model connections. */
  connections: ConnectionsContext;
  /** Breaks what is under way; those evaluations fail and may be tried again. */
  close(): Promise<void>;
}

/** Opens the measures: their thread starts and connections are made when they are first needed. */
export function openMeasures({ database, clock, secret, judge = {} }: MeasuresInput): OpenedMeasures {
  const box = new SecretBox({ secret, purpose: 'model-connection' });
  const connections: ConnectionsContext = { db: database as unknown as ConnectionsContext['db'], clock, box };
  const http = new HttpClient({ addresses: 'any' });
  const calculations = new MeasureThread();
  const delay: JudgeOptions['delay'] = (ms, signal) => wait(ms, undefined, signal ? { signal } : {});
  return {
    measures: new Measures({ connections, calculations, judge: new Judge({ connections, http, clock, delay, ...judge }) }),
    connections,
    close: async () => {
      await http.close();
      await calculations.close();
    },
  };
}
