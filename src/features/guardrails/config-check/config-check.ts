import { describeType, measureConfig } from '../../../../packages/guardrails/src/index.ts';
import type { Problem } from '../../../../packages/guardrails/src/index.ts';
import { turnsOf } from '../../../platform/budgets/index.ts';
import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import type { GuardrailSpec } from '../../policy-revisions/index.ts';
import type { configCheckFunctions } from './config-check-worker.ts';

/** The part of a guardrail that the engine checks. */
export type CheckedConfig = Pick<GuardrailSpec, 'type' | 'action' | 'config'>;

/** What the engine says of a configuration. */
interface Measured {
  problems: Problem[];
  /** Compiled, in states. */
  size: number;
}

/** Characters, as JSON, of patterns that the main thread compiles: 0.15 s at worst. */
const checkedAtOnce = 4_096;

/**
 * Checks configurations with the engine. Many or large patterns take up to a second to compile, so they are compiled in a thread, one configuration at
 * a time.
 */
export class ConfigCheck {
  readonly #thread = new OnDemandThread<typeof configCheckFunctions>(new URL('./config-check-worker.ts', import.meta.url), {
    name: 'the thread that checks guardrails',
  });
  readonly #limitMs: number;
  readonly #turns = turnsOf('guardrailCompilations');

  /** @param limitMs longest time of a check in the thread, its start included */
  constructor({ limitMs = 10_000 }: { limitMs?: number } = {}) {
    this.#limitMs = limitMs;
  }

  /**
   * The problems of a configuration and its action, with paths such as `/config/patterns/0/pattern`, and its compiled size in states.
   *
   * Errors: `unavailable` while too many checks wait.
   */
  async measure(projectId: string, { type, action, config }: CheckedConfig): Promise<Measured> {
    const checked = { type, action, config };
    if (!isSlow(checked)) return measureConfig(checked);
    return this.#turns.run(projectId, () => this.#inThread(checked));
  }

  /** Ends the thread; pending checks are rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #inThread(checked: CheckedConfig): Promise<Measured> {
    const tooSlow = new Error('the check took too long');
    try {
      return await this.#thread.callWithin({ ms: this.#limitMs, error: tooSlow }, 'measureConfig', checked);
    } catch (error) {
      if (error !== tooSlow) throw error;
      const message = '`config` takes too long to compile; make its patterns fewer or simpler.';
      return { problems: [{ path: '/config', message }], size: 0 };
    }
  }
}

/** Other types are checked in some milliseconds, whatever their size. */
function isSlow({ type, config }: CheckedConfig): boolean {
  return describeType(type).slow === true && JSON.stringify(config).length > checkedAtOnce;
}
