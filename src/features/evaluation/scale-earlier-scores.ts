import { dayMs } from '../../contract/durations.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { UnscaledScores } from '../trace-store/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

export interface ScaleEarlierScoresOptions {
  db: Database;
  clock: Clock;
  /** Gives stored scores their scale. May be repeated. */
  setScoreScale(unscaled: UnscaledScores, scale: readonly [number, number] | null): Promise<void>;
}

/** An evaluator is kept for this long: what other replicas have in their logs is written by then. */
const keptMs = 7 * dayMs;

/**
 * Gives the scores that releases without scales stored the scale of their evaluator (docs/semantics.md, "Quality"). Runs at a start and as a job;
 * does nothing once the upgrade is some days old.
 */
export async function scaleEarlierScores({ db, clock, setScoreScale }: ScaleEarlierScoresOptions): Promise<void> {
  const evaluators = await db.selectFrom('unscaled_evaluators').selectAll().execute();
  if (evaluators.length === 0) return;
  for (const evaluator of evaluators) {
    const { project_id: projectId, score_id_prefix: idPrefix, slug, scale_min: min, scale_max: max } = evaluator;
    const beforeVersion = evaluator.created_at.getTime() * 1000;
    await setScoreScale({ projectId, idPrefix, slug, beforeVersion }, min === null || max === null ? null : [min, max]);
  }
  await db
    .deleteFrom('unscaled_evaluators')
    .where('created_at', '<', new Date(clock.now() - keptMs))
    .execute();
}
