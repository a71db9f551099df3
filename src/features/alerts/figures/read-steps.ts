import { isUnavailable } from '../../../contract/errors.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Condition } from '../condition.ts';
import type { ScopeFigure } from '../evaluate-scopes.ts';
import { figureOf } from './read-figures.ts';
import type { FigureRow } from './read-figures.ts';
import { sharedRead } from './shared-windows-sql.ts';
import { stepsSql } from './steps-sql.ts';
import { hourMs } from '../../../contract/durations.ts';

/** Steps of the first statement where scores count by their calls; each further one has at most twice as many as the one before. */
const firstPortion = 49;
/** Fewer steps are not worth a statement. */
const leastPortion = 24;
/** Statements are planned to end in this time. */
const budgetMs = 18_000;

/** The figures of a rule in windows that end every hour before some time. */
export interface Steps {
  /** By the number of hours before it; windows without data have none. */
  figures: ReadonlyMap<number, ScopeFigure[]>;
  /** How many windows were read, the latest first. */
  read: number;
}

/**
 * The figures of one rule in windows that end every hour before `toMs`. Scores that count by their calls are read in several statements, the latest windows
 * first, as far as the time allows.
 *
 * @param steps how many windows are wanted
 *
 * Errors: those of the first statement.
 */
export async function readSteps(
  reader: TenantReader,
  clock: Clock,
  condition: Condition,
  { toMs, steps }: { toMs: number; steps: number },
): Promise<Steps> {
  const figures = new Map<number, ScopeFigure[]>();
  const startedMs = clock.now();
  let portion = sharedRead(condition) === 'scores of calls' ? Math.min(firstPortion, steps) : steps;
  let read = 0;
  while (portion > 0) {
    const beganMs = clock.now();
    const rows = await readPortion(reader, condition, toMs - read * hourMs, portion).catch((error: unknown) => {
      // Too slow or too large for the time that is left: what was read before stands.
      if (read > 0 && isUnavailable(error)) return null;
      throw error;
    });
    if (rows === null) break;
    for (const row of rows) {
      const found = figures.get(read + row.step) ?? [];
      found.push(figureOf(row));
      figures.set(read + row.step, found);
    }
    read += portion;
    portion = nextPortion(portion, steps - read, clock.now() - beganMs, budgetMs - (clock.now() - startedMs));
  }
  return { figures, read };
}

function readPortion(
  reader: TenantReader,
  condition: Condition,
  toMs: number,
  steps: number,
): Promise<Array<FigureRow & { step: number }>> {
  const { text, parameters } = stepsSql(condition, toMs, steps);
  return reader.query(text, parameters);
}

/** How many steps to read next; 0 when none are left, or the time would not be enough for some. */
function nextPortion(last: number, left: number, tookMs: number, leftMs: number): number {
  const affordable = Math.floor((leftMs / Math.max(tookMs, 1)) * last);
  const next = Math.min(2 * last, affordable);
  return next >= Math.min(leastPortion, left) ? Math.min(next, left) : 0;
}
