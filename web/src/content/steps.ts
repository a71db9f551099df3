/** Units of work between two yields. One unit is a message, a part or a tool call: a few microseconds. */
const stepSize = 5_000;

/** Counts units of work in a generator that yields after each step. */
export class StepCounter {
  #units = 0;

  /** Adds one unit. @returns true once per step, when the generator has to yield */
  isStepDone(): boolean {
    this.#units += 1;
    if (this.#units < stepSize) return false;
    this.#units = 0;
    return true;
  }
}

/** Runs a generator to completion without a pause. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Runs a generator with one task of the event loop per step, so that the page stays responsive.
 *
 * @param onResult called with the returned value, unless cancelled before
 * @param schedule runs a function in a later task
 * @returns cancels the run
 */
export function runInSteps<Result>(
  steps: Generator<void, Result>,
  onResult: (result: Result) => void,
  schedule: (task: () => void) => unknown = setTimeout,
): () => void {
  let cancelled = false;
  const step = () => {
    if (cancelled) return;
    const { done, value } = steps.next();
    if (done === true) onResult(value);
    else schedule(step);
  };
  schedule(step);
  return () => {
    cancelled = true;
  };
}
