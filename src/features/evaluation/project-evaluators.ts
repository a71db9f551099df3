import { LRUCache } from 'lru-cache';
import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { toEvaluator } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** A project with its evaluators. */
export interface EvaluatedProject {
  organizationId: string;
  plan: Plan;
  evaluators: readonly Evaluator[];
}

interface Entry {
  loading: Promise<EvaluatedProject | null>;
  /** The last result, used while the database does not answer. */
  known: EvaluatedProject | null;
  loadedAtMs: number;
}

/** Delay until changes of other replicas are seen. */
const freshMs = 5_000;
const maxProjects = 10_000;

/**
 * Caches the evaluators of each project, which every batch of spans needs. Changes by this process are seen at once, those of other
 * replicas within 5 seconds.
 */
export class ProjectEvaluators {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #entries = new LRUCache<string, Entry>({ max: maxProjects });

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Returns null for an unknown project. Rejects when the database does not answer. */
  async of(projectId: string): Promise<EvaluatedProject | null> {
    const now = this.#clock.now();
    const found = this.#entries.get(projectId);
    if (found && now >= found.loadedAtMs && now - found.loadedAtMs < freshMs) return found.loading;
    const entry: Entry = { loading: this.#load(projectId), known: found?.known ?? null, loadedAtMs: now };
    this.#entries.set(projectId, entry);
    try {
      entry.known = await entry.loading;
      return entry.known;
    } catch (error) {
      // The next call reads again.
      entry.loadedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /**
   * Pass thresholds by slug. Never rejects: while the database does not answer, the last known ones apply.
   */
  async passThresholds(projectId: string): Promise<ReadonlyMap<string, number>> {
    const project = await this.of(projectId).catch(() => this.#entries.get(projectId)?.known ?? null);
    const thresholds = new Map<string, number>();
    for (const { slug, passThreshold } of project?.evaluators ?? [])
      if (passThreshold !== null) thresholds.set(slug, passThreshold);
    return thresholds;
  }

  /** Drops a project from the cache; to be called after each committed change. */
  forget(projectId: string): void {
    this.#entries.delete(projectId);
  }

  async #load(projectId: string): Promise<EvaluatedProject | null> {
    const { rows } = await sql<{ organizationId: string; plan: Plan }>`
      SELECT o.id AS "organizationId", o.plan FROM projects p JOIN organizations o ON o.id = p.organization_id
      WHERE p.id = ${projectId}::uuid`.execute(this.#db);
    if (!rows[0]) return null;
    const evaluators = await this.#db
      .selectFrom('evaluators')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute();
    return { ...rows[0], evaluators: evaluators.map(toEvaluator) };
  }
}
