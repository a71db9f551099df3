import type { CheckAnswer } from './wire.ts';

/** The answer of a check. */
export interface Verdict extends CheckAnswer {
  /** Neither the bundle nor the service could be had: nothing was checked, and `onUnavailable` decided. */
  unavailable?: true;
  /** Why nothing was checked. */
  reason?: string;
}

/** A stream was blocked. What had been released before stays released. */
export class GuardrailBlocked extends Error {
  /** The check of the text up to the block. */
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    const blocking = verdict.results.filter(({ action }) => action === 'block').map(({ guardrail }) => guardrail);
    super(verdict.reason ?? `The text was blocked by ${blocking.length === 0 ? 'a guardrail' : blocking.join(', ')}.`);
    this.name = 'GuardrailBlocked';
    this.verdict = verdict;
  }
}
