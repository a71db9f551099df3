/** Steps that one guardrail may take over one text. A step takes up to 25 ns, so this is under the second that a guardrail has. */
export const stepsPerGuardrail = 40_000_000;

/** All guardrails of a check together may take this many times the steps of one. A guardrail for which none are left has failed. */
export const budgetsPerCheck = 2;

/** A guardrail took more than its budget for one text. */
export class OverBudget extends Error {
  constructor() {
    super('It took more than the 40 million counted steps that a guardrail has for a text.');
    this.name = 'OverBudget';
  }
}

/** Counts the steps of one guardrail over one text. */
export class Budget {
  /** Steps that are left. */
  left: number;

  constructor(steps: number = stepsPerGuardrail) {
    this.left = steps;
  }

  /** Errors: {@link OverBudget}. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new OverBudget();
  }
}
