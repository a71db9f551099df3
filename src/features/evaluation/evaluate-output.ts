import type { EvaluationContext } from './evaluation-context.ts';
import { EvaluationError } from './evaluation-error.ts';
import { decidedBy, poolOf } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { storableComment } from './types/evaluator-type.ts';
import type { Subject } from './types/evaluator-type.ts';

/** What an evaluator found. */
export interface OutputScore {
  /** The evaluator's slug. */
  evaluator: string;
  score: number;
  /** null: the evaluator gives no verdict. */
  passed: boolean | null;
  comment: string | null;
}

/** The scores of an output. */
export interface EvaluatedOutput {
  /** In the order of the evaluators, without those that had nothing to measure. */
  scores: OutputScore[];
  /** Why an evaluator failed: one sentence; null when none did. */
  error: string | null;
}

/** Similarity of texts from which on a fuzzy match has passed (docs/semantics.md, "Evaluator types"). */
const fuzzyThreshold = 0.8;

/** Runs evaluators on outputs at once, without the queue; for simulations. */
export class OutputEvaluation {
  readonly #context: Pick<EvaluationContext, 'evaluators' | 'measures'>;

  constructor(context: Pick<EvaluationContext, 'evaluators' | 'measures'>) {
    this.#context = context;
  }

  /** Whether one of these evaluators asks a model, which may take minutes. Unknown ids are ignored. */
  async asksModels(projectId: string, evaluatorIds: readonly string[]): Promise<boolean> {
    const evaluators = await this.#evaluators(projectId);
    return evaluatorIds.some((id) => {
      const evaluator = evaluators.get(id);
      return evaluator !== undefined && poolOf(evaluator.type) === 'judge';
    });
  }

  /** Measures an output with evaluators of a project, whether or not they are enabled. Errors: of the database. */
  async evaluate(
    projectId: string,
    evaluatorIds: readonly string[],
    subject: Subject,
    signal: AbortSignal,
  ): Promise<EvaluatedOutput> {
    const result: EvaluatedOutput = { scores: [], error: null };
    if (evaluatorIds.length === 0) return result;
    const evaluators = await this.#evaluators(projectId);
    for (const id of evaluatorIds) {
      const evaluator = evaluators.get(id);
      try {
        if (!evaluator) throw new EvaluationError('An evaluator of the scenario was deleted.', { retryable: false });
        const score = await this.#measure(evaluator, subject, signal);
        if (score) result.scores.push(score);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        result.error ??= `The evaluator ${evaluator?.slug ?? id} failed: ${error.message}`;
      }
    }
    return result;
  }

  /** The similarity of two values is at least 0.8, as of the evaluator `fuzzy`. Errors: {@link EvaluationError}. */
  async fuzzyMatches(projectId: string, output: unknown, expectedOutput: unknown): Promise<boolean> {
    const subject: Subject = { input: null, output, expectedOutput, latencyMs: null, costUsd: null };
    const fuzzy = { projectId, type: 'fuzzy' as const, config: { threshold: fuzzyThreshold } };
    const verdict = await this.#context.measures.measure(fuzzy, subject);
    return verdict.status === 'scored' && verdict.passed === true;
  }

  async #measure(evaluator: Evaluator, subject: Subject, signal: AbortSignal): Promise<OutputScore | null> {
    const verdict = await this.#context.measures.measure(evaluator, subject, signal);
    if (verdict.status === 'skipped') return null;
    const { score, comment } = verdict;
    return {
      evaluator: evaluator.slug,
      score,
      passed: decidedBy(evaluator, verdict),
      comment: comment === null ? null : storableComment(comment),
    };
  }

  async #evaluators(projectId: string): Promise<ReadonlyMap<string, Evaluator>> {
    const project = await this.#context.evaluators.of(projectId);
    return new Map(project?.evaluators.map((evaluator) => [evaluator.id, evaluator]));
  }
}
