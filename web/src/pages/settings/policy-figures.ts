import type { ProjectPolicies } from '../../api/policies.ts';

/** Names shown of each reason; the rest is counted. */
const maxNames = 5;

/** The drift of a project on one line: `Detached: a, b · Differs from its file: e and 3 more`. */
export function driftText(drift: ProjectPolicies['drift']): string {
  const part = (label: string, reason: ProjectPolicies['drift'][number]['reason']) => {
    const names = drift.filter((one) => one.reason === reason).map(({ name }) => name);
    if (names.length === 0) return [];
    const rest = names.length - maxNames;
    return [`${label}: ${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
  };
  return [...part('Detached', 'detached'), ...part('Differs from its file', 'differs')].join(' · ');
}

/** How many projects there are, and how many of them have ever applied files. */
export function organizationFigures(projects: readonly ProjectPolicies[]): { projects: number; applying: number } {
  return { projects: projects.length, applying: projects.filter(({ lastApply }) => lastApply !== null).length };
}
