import { CheckGivenUp, checkText } from '../../../../packages/guardrails/src/index.ts';
import type { CheckRequest } from '../../../../packages/guardrails/src/index.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import type { CheckThreads } from './check-threads.ts';
import type { CheckedText } from './check-worker.ts';
import { CompiledBundles } from './compiled-bundles.ts';

/** Bytes of UTF-8 up to which a text is checked in this thread. */
const smallBytes = 16 * 1024;
/** Steps of a check in this thread: at most some 25 ms. One that takes more is done by a thread. */
const stepsHere = 1_000_000;

/** Checks texts against the local guardrails of a project: small ones in this thread, others in threads. Both give the same answers. */
export class TextChecker {
  readonly #bundles = new CompiledBundles();
  readonly #threads: Pick<CheckThreads, 'check'>;

  constructor(threads: Pick<CheckThreads, 'check'>) {
    this.#threads = threads;
  }

  close(): Promise<void> {
    return this.#bundles.close();
  }

  /**
   * Checks a text; judges are left for later (`withVerdicts` of the engine).
   *
   * @param bytes of the text's UTF-8
   *
   * Errors: UnknownGuardrailError; `unavailable` when too many long texts wait.
   */
  async check(policies: ProjectPolicies, request: CheckRequest, bytes: number): Promise<CheckedText> {
    if (bytes > smallBytes) return this.#threads.check(policies, request);
    const bundle = this.#bundles.peek(policies) ?? (await this.#bundles.get(policies));
    if (!bundle) return this.#threads.check(policies, request);
    try {
      return checkText(bundle, request, { now: () => performance.now(), giveUpAfter: stepsHere });
    } catch (error) {
      if (error instanceof CheckGivenUp) return this.#threads.check(policies, request);
      throw error;
    }
  }
}
