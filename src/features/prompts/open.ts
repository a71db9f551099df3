import type { Feature, Platform } from '../../platform/feature/index.ts';
import { PromptCache } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import { promptRoutes } from './routes.ts';
import type { PromptsDb } from './tables.ts';

export interface PromptsFeature extends Feature {
  context: PromptsContext;
}

/** Prompts, their versions and labels. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): PromptsFeature {
  const { db, changeFeed } = postgres;
  const cache = new PromptCache(changeFeed);
  const context = { db: db as unknown as PromptsDb, changeFeed, clickhouse, clock, cache };
  return { context, routes: (server) => promptRoutes(server, context), close: () => cache.close() };
}
