const stored = 'spanwise-evaluator';
const first = 'human-review';

/** Keeps the slug that the viewer annotates under, for the next time. */
export function rememberEvaluator(slug: string): void {
  localStorage.setItem(stored, slug);
}

/** The slug to begin with: the last one, else one that says that a person looked. */
export function lastEvaluator(): string {
  return localStorage.getItem(stored) ?? first;
}
