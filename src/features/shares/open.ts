import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { TraceHooks } from '../trace-store/index.ts';
import { forgetExpired, forgetTrace } from './forget-shares.ts';
import { isShown } from './find-share.ts';
import { shareRoutes } from './routes.ts';
import type { SharesPorts } from './shares-context.ts';
import { ShownTexts } from './shown/shown-texts.ts';

export interface SharesFeature extends Feature, TraceHooks {
  /** Whether a link shows a trace. @param token its last segment */
  isShown(token: string): Promise<boolean>;
}

const forgetEveryMs = 60 * 60_000;

/** Links that show a trace to people without an account. */
export function open(
  { postgres, clock, publicOrigin }: Pick<Platform, 'postgres' | 'clock' | 'publicOrigin'>,
  ports: SharesPorts,
): SharesFeature {
  const db = postgres.db;
  const texts = new ShownTexts();
  const context = { ...ports, db, clock, texts, publicOrigin };
  return {
    isShown: (token) => isShown(context, token),
    routes: (server) => shareRoutes(server, context),
    // A trace that is sent again under the same id is another one.
    onTraceDeleted: (projectId, traceId) => forgetTrace(db, projectId, traceId),
    jobs: [
      {
        name: 'forget-shares',
        everyMs: forgetEveryMs,
        changes: ['postgres'],
        run: () => forgetExpired(db, clock.now()),
      },
    ],
    close: () => texts.close(),
  };
}
