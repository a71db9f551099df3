import { randomBytes } from 'node:crypto';
import type { Guardrail, Verdict } from '../../../../packages/guardrails/src/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { ModelError } from '../../model-connections/index.ts';
import type { ModelClient } from '../../model-connections/index.ts';
import { judgeMessages, verdictSchema } from './judge-messages.ts';

/** Longest time of a judge, in milliseconds. */
const timeoutMs = 10_000;
/** UTF-16 units of a reason. */
const maxReason = 1_000;

export interface JudgesOptions {
  /** Called with an error that no judge explains. */
  onError(error: unknown): void;
  /** Longest time of a judge, in milliseconds; for tests. */
  timeoutMs?: number;
}

/** What a judge is asked about. */
export interface JudgedText {
  projectId: string;
  text: string;
  stage: 'input' | 'output';
}

/** The models that guardrails of type `llm_judge` ask (docs/semantics.md, "Guardrail checks"). */
export class Judges {
  readonly #models: Pick<ModelClient, 'askModel' | 'findConnectionNamed'>;
  readonly #options: JudgesOptions;
  readonly #timeoutMs: number;

  constructor(models: Pick<ModelClient, 'askModel' | 'findConnectionNamed'>, options: JudgesOptions) {
    this.#models = models;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? timeoutMs;
  }

  /** The verdicts of judges by slug; all are asked at once. Never rejects: a judge without an answer has failed. */
  async ask(judges: readonly Guardrail[], text: JudgedText): Promise<Record<string, Verdict>> {
    const asked = judges.map(async (judge) => [judge.slug, await this.#verdictOf(judge, text)] as const);
    return Object.fromEntries(await Promise.all(asked));
  }

  async #verdictOf(judge: Guardrail, text: JudgedText): Promise<Verdict> {
    const started = performance.now();
    const verdict = await this.#askOne(judge, text);
    return { ...verdict, latencyMs: performance.now() - started };
  }

  async #askOne({ config }: Guardrail, { projectId, text, stage }: JudgedText): Promise<Verdict> {
    const { connection: name, model, instructions } = config as { connection: string; model?: string; instructions: string };
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const connection = await this.#models.findConnectionNamed(projectId, name);
      if (!connection) return failed('The project has no model connection of this name; change the guardrail.');
      const { object } = await this.#models.askModel(connection, {
        messages: judgeMessages(instructions, stage, text, randomBytes(12).toString('hex')),
        ...(model === undefined ? {} : { model }),
        temperature: 0,
        responseSchema: verdictSchema,
        urgent: true,
        timeoutMs: this.#timeoutMs,
        signal,
      });
      const { triggered, reason } = object;
      if (typeof triggered !== 'boolean') return failed('The judge gave no verdict; change its instructions or its model.');
      return { triggered, reason: typeof reason === 'string' && reason !== '' ? cutText(reason, maxReason, '…') : null };
    } catch (error) {
      if (signal.aborted) return failed(`The judge did not answer within ${this.#timeoutMs / 1000} seconds.`);
      if (error instanceof ModelError) return failed(error.message);
      this.#options.onError(error);
      return failed('The judge could not be asked.');
    }
  }
}

function failed(reason: string): Verdict {
  return { failed: true, reason };
}
