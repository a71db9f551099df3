import { LRUCache } from 'lru-cache';
import type { ChangeFeed, Database } from '../../../platform/postgres/index.ts';
import { policiesChannel } from '../../policy-revisions/index.ts';
import { readProjectPolicies, readRevision } from './project-policies.ts';
import type { ProjectPolicies } from './project-policies.ts';

/** Maximum size of the cache, in characters of configurations. */
const maxLength = 32 * 1_048_576;
/** Characters that a project counts in addition to its configurations. */
const projectLength = 2_000;

/**
 * The guardrails of projects in memory; the least recently used are evicted. A change drops those of its project: here at once, on other
 * replicas by the change feed, within a second. While the change feed is interrupted, the revision is read from the database each time.
 */
export class PolicyCache {
  readonly #db: Database;
  readonly #changeFeed: ChangeFeed;
  readonly #unsubscribe: () => void;
  readonly #loading = new Map<string, Promise<ProjectPolicies>>();
  readonly #cached = new LRUCache<string, ProjectPolicies>({
    maxSize: maxLength,
    sizeCalculation: ({ configLength }) => configLength + projectLength,
  });

  constructor(db: Database, changeFeed: ChangeFeed) {
    this.#db = db;
    this.#changeFeed = changeFeed;
    this.#unsubscribe = changeFeed.subscribe(policiesChannel, {
      onMessage: (projectId) => {
        this.#cached.delete(projectId);
        // A load in progress may have read before the change.
        this.#loading.delete(projectId);
      },
      onMissed: () => {
        this.#cached.clear();
        this.#loading.clear();
      },
    });
  }

  /** The current guardrails of a project, if they are in memory. */
  peek(projectId: string): ProjectPolicies | undefined {
    return this.#changeFeed.receiving() ? this.#cached.get(projectId) : undefined;
  }

  /** The current guardrails of a project; loaded once for concurrent requests. */
  async get(projectId: string): Promise<ProjectPolicies> {
    const cached = this.#cached.get(projectId);
    if (!this.#changeFeed.receiving()) {
      const known = cached !== undefined && (await readRevision(this.#db, projectId)) === cached.revision;
      return known ? cached : readProjectPolicies(this.#db, projectId);
    }
    if (cached) return cached;
    const underWay = this.#loading.get(projectId);
    if (underWay) return underWay;
    const loading = readProjectPolicies(this.#db, projectId);
    this.#loading.set(projectId, loading);
    try {
      const policies = await loading;
      if (this.#loading.get(projectId) === loading) this.#cached.set(projectId, policies);
      return policies;
    } finally {
      if (this.#loading.get(projectId) === loading) this.#loading.delete(projectId);
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#cached.clear();
    this.#loading.clear();
  }
}
