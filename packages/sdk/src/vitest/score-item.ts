import { messageOf } from '../message-of.ts';

/** What an evaluator gets. */
export interface ItemToScore<Input = unknown, Output = unknown> {
  input: Input;
  output: Output;
  /** undefined when the item has none. */
  expectedOutput: unknown;
  metadata: Record<string, unknown>;
}

/** What an evaluator gives: a number, whether it passed, or both with a comment. */
export type EvaluatorScore =
  | number
  | boolean
  | { score: number | boolean; passed?: boolean | undefined; comment?: string | undefined };

type Evaluating<Input, Output> = (item: ItemToScore<Input, Output>) => EvaluatorScore | Promise<EvaluatorScore>;

/** A function, whose name is the evaluator's, or an object with a name. Names are letters, digits, `.`, `_` and `-`. */
export type Evaluator<Input = unknown, Output = unknown> =
  | Evaluating<Input, Output>
  | { readonly name: string; evaluate: Evaluating<Input, Output> };

/** The score of an item. */
export interface ItemScore {
  evaluator: string;
  /** Null when the evaluator threw. */
  score: number | null;
  passed: boolean | null;
  comment: string | null;
  /** What the evaluator threw. */
  error: string | null;
}

/** The scores of an evaluator. */
export interface ScoreSummary {
  /** Items that were scored. */
  count: number;
  mean: number | null;
  /** Share of those that passed among those that passed or failed, 0..1. */
  passRate: number | null;
  /** Items for which the evaluator threw. */
  errors: number;
}

const slug = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Errors: TypeError for a name that the service does not take, and for one that is there twice. */
export function requireNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const why = !slug.test(name) ? 'use letters, digits, full stops, underscores and hyphens' : 'another one has the name';
    if (!slug.test(name) || names.indexOf(name) !== index)
      throw new TypeError(`Rename the evaluator ${JSON.stringify(name)}: ${why}.`);
  }
}

/** What an evaluator says of an item. */
export async function scoreItem<Input, Output>(
  evaluator: Evaluator<Input, Output>,
  item: ItemToScore<Input, Output>,
): Promise<ItemScore> {
  const { name } = evaluator;
  const nothing = { evaluator: name, score: null, passed: null, comment: null };
  try {
    const given = typeof evaluator === 'function' ? await evaluator(item) : await evaluator.evaluate(item);
    const { score, passed, comment } = typeof given === 'object' ? given : { score: given };
    const number = Number(score);
    if (!Number.isFinite(number)) return { ...nothing, error: `It gave ${String(score)}, which is no score.` };
    const verdict = passed ?? (typeof score === 'boolean' ? score : null);
    return { evaluator: name, score: number, passed: verdict, comment: comment ?? null, error: null };
  } catch (thrown) {
    return { ...nothing, error: messageOf(thrown) };
  }
}

/** Summaries by evaluator. */
export function summaryOf(scores: readonly ItemScore[]): Record<string, ScoreSummary> {
  const names = [...new Set(scores.map(({ evaluator }) => evaluator))];
  return Object.fromEntries(
    names.map((name) => {
      const own = scores.filter(({ evaluator }) => evaluator === name);
      const numbers = own.flatMap(({ score }) => (score === null ? [] : [score]));
      const verdicts = own.flatMap(({ passed }) => (passed === null ? [] : [passed]));
      const mean = numbers.length === 0 ? null : numbers.reduce((sum, score) => sum + score, 0) / numbers.length;
      const passRate = verdicts.length === 0 ? null : verdicts.filter(Boolean).length / verdicts.length;
      return [name, { count: numbers.length, mean, passRate, errors: own.length - numbers.length }];
    }),
  );
}
