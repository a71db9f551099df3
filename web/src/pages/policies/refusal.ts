import { ApiError } from '../../api/client.ts';

/** Why an apply was refused, and what to do. Nothing was changed. */
export interface Refusal {
  title: string;
  advice: string;
  /** What stands in the way. */
  items: readonly string[];
  /** Whether planning again is the next step. */
  planAgain: boolean;
}

/** Names shown; a response may list many. */
const maxItems = 20;

/** Explains the 409 of an apply; null for other errors. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  switch (error.code) {
    case 'stale_plan':
      return {
        title: 'The plan is out of date',
        advice:
          'Policies were changed after the plan was made, or the plan is older than 24 hours. Plan again and review the changes.',
        items: [],
        planAgain: true,
      };
    case 'policy_detached':
      return {
        title: 'Detached policies block the apply',
        advice:
          'Attach them on the Policies tab: the files then overwrite their edits. To keep edits, take them over into the files first, or leave these policies out of the files.',
        items: shorten(policyNames(error.body['policies'])),
        planAgain: true,
      };
    case 'removal_not_allowed':
      return {
        title: 'The plan removes policies',
        advice: 'Confirm the removal, or add these policies to the files.',
        items: shorten(policyNames(error.body['removals'])),
        planAgain: false,
      };
    case 'environment_in_use':
      return {
        title: 'An environment is in use',
        advice:
          'The plan removes an environment that these still name. Change or delete them, or keep the environment in the files.',
        items: shorten(attachedNames(error.body['attached'])),
        planAgain: true,
      };
    default:
      return null;
  }
}

function shorten(names: readonly string[]): string[] {
  const rest = names.length - maxItems;
  return rest > 0 ? [...names.slice(0, maxItems), `and ${rest} more`] : [...names];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function policyNames(value: unknown): string[] {
  return listOf(value).flatMap((one) => (isObject(one) ? [`${String(one['kind'])} ${String(one['name'])}`] : []));
}

const attachedLabels = { guardrails: 'Guardrail', alerts: 'Alert', incidents: 'Incident' } as const;

/** What names an environment: kind and name of each. */
export function attachedNames(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(attachedLabels).flatMap(([field, label]) =>
    listOf(value[field]).map((name) => `${label} ${String(name)}`),
  );
}
