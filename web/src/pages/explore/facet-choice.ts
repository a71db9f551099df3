import { printField } from '../../../../src/contract/filter/print.ts';
import { parseFilter } from '../../../../src/contract/filter/parse.ts';
import { FilterError } from '../../../../src/contract/filter/filter-error.ts';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { isTexts, readStored, store } from '../../stored-value.ts';

/** Maximum facets that are counted at once: those of one request. */
export const maxOpenFacets = 12;

const labels: Readonly<Record<string, string>> = {
  kind: 'Kind',
  status: 'Status',
  model: 'Model',
  provider: 'Provider',
  name: 'Name',
  agent: 'Agent',
  tool: 'Tool',
  environment: 'Environment',
  release: 'Release',
  user: 'User',
  session: 'Session',
  tag: 'Tag',
  service: 'Service',
  operation: 'Operation',
  errorCode: 'Error code',
  prompt: 'Prompt',
  promptVersion: 'Prompt version',
  guardrail: 'Guardrail',
  'guardrail.action': 'Guardrail action',
  scored: 'Evaluator',
  outcome: 'Outcome',
  'outcome.success': 'Outcome success',
  source: 'Source',
  unpriced: 'Unpriced',
  latency: 'Latency',
  cost: 'Cost',
  tokens: 'Tokens',
  ttft: 'First token',
  spans: 'Spans',
  calls: 'Calls',
  errors: 'Failed spans',
  depth: 'Levels',
};

const ofBoth = [
  'status',
  'model',
  'name',
  'agent',
  'tool',
  'environment',
  'release',
  'user',
  'session',
  'tag',
  'errorCode',
  'provider',
  'operation',
  'service',
  'kind',
  'prompt',
  'promptVersion',
  'scored',
  'guardrail',
  'guardrail.action',
  'outcome',
  'outcome.success',
  'source',
  'unpriced',
];

/** The fields whose values can be counted, keys of metadata and attributes aside. */
export const facetFields: Readonly<Record<FilterSubject, readonly string[]>> = {
  spans: ['kind', ...ofBoth.filter((name) => name !== 'kind'), 'latency', 'cost', 'tokens', 'ttft'],
  traces: [...ofBoth, 'latency', 'cost', 'tokens', 'spans', 'calls', 'errors', 'depth'],
};

/** The facets that are listed at first, and those of them that are open. */
const listedAtFirst: Readonly<Record<FilterSubject, readonly string[]>> = {
  spans: ['status', 'kind', 'model', 'environment', 'name', 'agent', 'tool', 'user', 'errorCode', 'latency', 'cost', 'tokens'],
  traces: ['status', 'name', 'model', 'environment', 'agent', 'tool', 'user', 'tag', 'errorCode', 'latency', 'cost', 'tokens'],
};
const openAtFirst: Readonly<Record<FilterSubject, readonly string[]>> = {
  spans: ['status', 'kind', 'model', 'environment', 'latency'],
  traces: ['status', 'name', 'model', 'environment', 'latency'],
};

/** The name of a facet for readers. */
export function facetLabel(field: string): string {
  return labels[field] ?? field;
}

/** Which facets a viewer sees of a project's list. */
export interface FacetChoice {
  listed: readonly string[];
  open: readonly string[];
}

const keyOf = (projectId: string, on: FilterSubject, what: keyof FacetChoice) => `spanwise-facets:${projectId}:${on}:${what}`;

/** The facets that the viewer has chosen, in this browser. */
export function readFacetChoice(projectId: string, on: FilterSubject): FacetChoice {
  return {
    listed: readStored(keyOf(projectId, on, 'listed'), isTexts, listedAtFirst[on]),
    open: readStored(keyOf(projectId, on, 'open'), isTexts, openAtFirst[on]),
  };
}

/** Remembers the facets that the viewer has chosen. */
export function storeFacetChoice(projectId: string, on: FilterSubject, { listed, open }: FacetChoice): void {
  store(keyOf(projectId, on, 'listed'), listed);
  store(keyOf(projectId, on, 'open'), open);
}

/** The name of a field under a key, such as `metadata.customer.tier`, as filters write it; null for one whose values are not counted. */
export function keyedField(text: string, on: FilterSubject): string | null {
  const name = text.trim().replace(/:$/, '');
  if (!/^(?:metadata|attribute|label|passed)\../.test(name)) return null;
  try {
    const term = parseFilter(`${name}:*`, { on, nowMs: 0 });
    return term.type === 'field' ? printField(term) : null;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}
