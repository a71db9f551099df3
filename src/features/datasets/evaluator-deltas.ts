import { compareCodePoints } from '../../platform/text/index.ts';
import type { ComparedItem, TwoRuns } from './compared-items.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';
import type { PairedInterval } from './paired-bootstrap.ts';

/** The differences of the scores of two runs, by evaluator. */
export class EvaluatorDeltas {
  readonly #seed: string;
  readonly #deltas = new Map<string, number[]>();

  constructor({ a, b }: TwoRuns) {
    this.#seed = [a, b].toSorted().join();
  }

  /** Adds b - a for evaluators that scored both; one that scored only one of them gets an entry without a difference. */
  add({ a, b }: ComparedItem): void {
    const left = a?.scores ?? [];
    const right = b?.scores ?? [];
    for (const { evaluator } of [...left, ...right]) if (!this.#deltas.has(evaluator)) this.#deltas.set(evaluator, []);
    for (const score of left) {
      const other = right.find(({ evaluator }) => evaluator === score.evaluator);
      if (other) this.#deltas.get(score.evaluator)?.push(other.score - score.score);
    }
  }

  /** The mean difference of each evaluator with its interval, by evaluator. Deterministic, and mirrored when the runs are exchanged. */
  async intervals(): Promise<Array<{ evaluator: string } & PairedInterval>> {
    const intervals: Array<{ evaluator: string } & PairedInterval> = [];
    for (const [evaluator, values] of [...this.#deltas].toSorted(([left], [right]) => compareCodePoints(left, right))) {
      const interval = await pairedBootstrap(Float64Array.from(values), `${this.#seed},${evaluator}`);
      intervals.push({ evaluator, ...interval });
    }
    return intervals;
  }
}
