import type { Actor } from '../../contract/actor.ts';
import type { PromptBody, PromptsQuery, PromptType, PromptVersion } from '../../contract/prompts.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { createProposal } from './create-proposal.ts';
import type { Proposal } from './create-proposal.ts';
import { createVersion } from './create-version.ts';
import { noVersion, readRecord } from './fetch-prompt.ts';
import type { Selection } from './fetch-prompt.ts';
import { listPrompts } from './list-prompts.ts';
import { PromptCache } from './prompt-cache.ts';
import type { PromptsContext } from './prompts-context.ts';
import { promptRoutes } from './routes.ts';
import { findVersion } from './version-store.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/** A version as it is stored. */
export interface StoredVersion {
  id: string;
  name: string;
  version: number;
  type: PromptType;
  /** Of a chat prompt the JSON of its messages. */
  prompt: string;
}

export interface PromptsFeature extends Feature {
  context: PromptsContext;
  /** The version with this number; without one that labelled production, or else the latest. null when there is none. */
  findVersion(projectId: string, name: string, version: number | null): Promise<StoredVersion | null>;
  /** The selected version with its references replaced; null when there is none. Errors: `conflict` when they cannot be resolved. */
  resolvedVersion(projectId: string, selection: Selection): Promise<PromptVersion | null>;
  /** The selected version with its references replaced. Errors: `not_found`, `conflict` when they cannot be resolved. */
  getVersion(projectId: string, selection: Selection): Promise<PromptVersion>;
  /** See {@link listPrompts}. */
  listPrompts(projectId: string, query: PromptsQuery): ReturnType<typeof listPrompts>;
  /** See {@link createVersion}. */
  createVersion(acting: { tenant: Tenant; actor: Actor }, body: PromptBody): Promise<PromptVersion>;
  /** See {@link createProposal}. */
  createProposal(
    projectId: string,
    proposal: Proposal,
    last: (transaction: Transaction, version: number) => Promise<void>,
  ): Promise<number>;
}

/** Prompts, their versions and labels. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): PromptsFeature {
  const { db, changeFeed } = postgres;
  const cache = new PromptCache(changeFeed);
  const context = { db: db, changeFeed, clickhouse, clock, cache };
  return {
    context,
    findVersion: (projectId, name, version) => findVersion(context.db, projectId, { name, version, label: null }),
    resolvedVersion: (projectId, selection) => readRecord(context, projectId, selection),
    getVersion: async (projectId, selection) => (await readRecord(context, projectId, selection)) ?? noVersion(selection),
    listPrompts: (projectId, query) => listPrompts(context, projectId, query),
    createVersion: (acting, body) => createVersion(context, acting, body),
    createProposal: (projectId, proposal, last) => createProposal(context, projectId, proposal, last),
    routes: (server) => promptRoutes(server, context),
    close: () => cache.close(),
  };
}
