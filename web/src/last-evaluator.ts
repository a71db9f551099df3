const stored = 'spanwise-evaluator';
const first = 'human-review';

/** Stores the evaluator slug that the viewer last scored with. */
export function rememberEvaluator(slug: string): void {
  localStorage.setItem(stored, slug);
}

/** The evaluator slug that the viewer last scored with; `human-review` by default. */
export function lastEvaluator(): string {
  return localStorage.getItem(stored) ?? first;
}
