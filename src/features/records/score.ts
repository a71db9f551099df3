/** One score as it is stored (docs/semantics.md, "Native events"). */
export interface ScoreRecord {
  scoreId: string;
  /** `''` for a session's score. */
  traceId: string;
  /** `''` for a trace's or a session's score. */
  spanId: string;
  sessionId: string;
  evaluator: string;
  /** {@link noScore} where it has a label alone. */
  score: number;
  passed: boolean | null;
  label: string;
  comment: string;
  /** The score's own model, `''` when left out. */
  model: string;
  timestampMs: number;
  source: 'native' | 'otlp' | 'api' | 'evaluator' | 'annotation';
  /** JSON text, `''` when absent. */
  metadata: string;
  /** Lowest and highest value of the scale that it was given on; figures over several evaluators use (score - min) / (max - min). */
  scaleMin: number;
  scaleMax: number;
  /** Whether it counts in figures over several evaluators (docs/semantics.md, "Quality"). */
  isQuality: boolean;
  /** Withdraws the score with this id. */
  withdrawn?: true;
}

/** The number of a score that has a label alone: it counts in no mean. `scores` stores NaN. */
export const noScore = Number.NaN;

type ScoreScale = Pick<ScoreRecord, 'scaleMin' | 'scaleMax' | 'isQuality'>;

/**
 * The fields of a score by the scale of its evaluator.
 *
 * @param scale lowest and highest score; null for an evaluator that does not measure quality
 */
export function scaleFields(scale: readonly [number, number] | null): ScoreScale {
  return scale === null ? { ...countsAsItIs, isQuality: false } : { scaleMin: scale[0], scaleMax: scale[1], isQuality: true };
}

/** The fields of a score by an application or a user, which counts as it is. */
export const countsAsItIs: ScoreScale = { scaleMin: 0, scaleMax: 1, isQuality: true };

/** A score of which only defaults are known. */
export const blankScore: ScoreRecord = {
  scoreId: '',
  traceId: '',
  spanId: '',
  sessionId: '',
  evaluator: '',
  score: 0,
  passed: null,
  label: '',
  comment: '',
  model: '',
  timestampMs: 0,
  source: 'native',
  metadata: '',
  ...countsAsItIs,
};
