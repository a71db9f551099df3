import { sql } from 'kysely';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { toEvaluator } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import type { EvaluationDb } from './tables.ts';

/** A project with its evaluators. */
export interface EvaluatedProject {
  organizationId: string;
  plan: Plan;
  evaluators: readonly Evaluator[];
}

interface Entry {
  loading: Promise<EvaluatedProject | null>;
  /** What was found last time, for when the database does not answer. */
  known: EvaluatedProject | null;
  loadedAtMs: number;
}

/** How long a change that another replica made may go unseen. */
const freshMs = 5_000;
const mostProjects = 10_000;

/**
 * The evaluators of each project, kept in memory: every batch of spans asks for them. A change made in this process is seen at once, one
 * of another replica within seconds.
 */
export class ProjectEvaluators {
  readonly #db: EvaluationDb;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(db: EvaluationDb, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** null: there is no such project. Rejects when the database does not answer. */
  async of(projectId: string): Promise<EvaluatedProject | null> {
    const now = this.#clock.now();
    const found = this.#entries.get(projectId);
    if (found && now >= found.loadedAtMs && now - found.loadedAtMs < freshMs) return found.loading;
    if (this.#entries.size >= mostProjects) this.#entries.clear();
    const entry: Entry = { loading: this.#load(projectId), known: found?.known ?? null, loadedAtMs: now };
    this.#entries.set(projectId, entry);
    try {
      entry.known = await entry.loading;
      return entry.known;
    } catch (error) {
      // The next one asks again.
      entry.loadedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /**
   * Thresholds from which a score has passed, by slug. Never rejects: while the database does not answer, what was known last counts.
   */
  async passThresholds(projectId: string): Promise<ReadonlyMap<string, number>> {
    const project = await this.of(projectId).catch(() => this.#entries.get(projectId)?.known ?? null);
    const thresholds = new Map<string, number>();
    for (const { slug, passThreshold } of project?.evaluators ?? [])
      if (passThreshold !== null) thresholds.set(slug, passThreshold);
    return thresholds;
  }

  /** Forgets what is known of a project; after each committed change. */
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
