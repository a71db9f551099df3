import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ScoreRecord } from '../records/index.ts';
import { replaceScore } from './change-score.ts';
import type { ScoreActor } from './change-score.ts';
import type { TraceHooks } from '../trace-store/index.ts';
import { forgetScoresOfSessions } from './forget-sessions.ts';
import { scoreRoutes } from './routes.ts';
import type { ScoresContext } from './scores-context.ts';

export interface ScoresFeature extends Feature, Pick<TraceHooks, 'forgetMadeFrom'> {
  /** See {@link replaceScore}. */
  replaceScore(by: ScoreActor, record: ScoreRecord): Promise<boolean>;
}

/** Lists, changes, deletes and sums up stored scores. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { pipeline }: Pick<ScoresContext, 'pipeline'>,
): ScoresFeature {
  const context = { db: postgres.db, clickhouse, clock, pipeline };
  return {
    replaceScore: (by, record) => replaceScore(context, by, record),
    routes: (server) => scoreRoutes(server, context),
    forgetMadeFrom: (tenant, { sessionIds }) => forgetScoresOfSessions(context, tenant, sessionIds),
  };
}
