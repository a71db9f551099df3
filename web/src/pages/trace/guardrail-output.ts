import type { CheckAction } from '../../api/parts.ts';
import type { GuardrailResult } from '../../api/service.ts';

/** What a span of kind `guardrail` holds in its output: the action, and the result of each guardrail. */
export interface GuardrailOutput {
  action: CheckAction;
  results: readonly GuardrailResult[];
}

const actions: readonly unknown[] = ['allow', 'flag', 'redact', 'block'] satisfies CheckAction[];
/** Results of a check: there are at most 100 guardrails. */
const maxResults = 100;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOffset = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

function isMatch(value: unknown): boolean {
  return isFields(value) && isOffset(value['start']) && isOffset(value['end']) && typeof value['label'] === 'string';
}

function resultOf(value: unknown): GuardrailResult | null {
  if (!isFields(value) || typeof value['guardrail'] !== 'string' || typeof value['type'] !== 'string') return null;
  if (!actions.includes(value['action']) || !Array.isArray(value['matches']) || !value['matches'].every(isMatch)) return null;
  return {
    guardrail: value['guardrail'],
    type: value['type'] as GuardrailResult['type'],
    triggered: value['triggered'] === true,
    action: value['action'] as CheckAction,
    matches: value['matches'] as GuardrailResult['matches'],
    reason: typeof value['reason'] === 'string' ? value['reason'] : null,
    latencyMs: typeof value['latencyMs'] === 'number' ? value['latencyMs'] : 0,
    ...(value['truncated'] === true ? { truncated: true } : {}),
    ...(value['failed'] === true ? { failed: true } : {}),
    ...(value['skipped'] === true ? { skipped: true } : {}),
  };
}

/** Reads the output of a span of kind `guardrail`; null if it is none of a check: applications send such spans too. */
export function readGuardrailOutput(output: unknown): GuardrailOutput | null {
  if (!isFields(output) || !actions.includes(output['action']) || !Array.isArray(output['results'])) return null;
  if (output['results'].length > maxResults) return null;
  const results = output['results'].map(resultOf);
  const isComplete = (all: typeof results): all is GuardrailResult[] => !all.includes(null);
  return isComplete(results) ? { action: output['action'] as CheckAction, results } : null;
}

/** The matches of a result by label, in order of appearance: how many, and the places of the first ones. */
export function matchesByLabel({
  matches,
}: Pick<GuardrailResult, 'matches'>): Array<{ label: string; count: number; places: string }> {
  return [...Map.groupBy(matches, ({ label }) => label)].map(([label, found]) => ({
    label,
    count: found.length,
    places: `${found
      .slice(0, 5)
      .map(({ start, end }) => `${start}–${end}`)
      .join(', ')}${found.length > 5 ? ', …' : ''}`,
  }));
}
