/** Labels of the trace filters by parameter name. */
export const filterLabels = {
  model: 'Model',
  agent: 'Agent',
  session: 'Session',
  user: 'User',
  environment: 'Environment',
  status: 'Status',
  tag: 'Tag',
  minLatency: 'Min latency (ms)',
  minCost: 'Min cost ($)',
  evaluator: 'Evaluator',
  minScore: 'Min score',
  maxScore: 'Max score',
  passed: 'Verdict',
  unscoredBy: 'Not scored by',
  promptName: 'Prompt',
  promptVersion: 'Prompt version',
} as const;
export type FilterName = keyof typeof filterLabels;
export const filterNames = Object.keys(filterLabels) as FilterName[];

/** Filters that one score must match together. */
export const scoreFilterNames = ['evaluator', 'minScore', 'maxScore', 'passed'] as const satisfies readonly FilterName[];
/** Filters that one span must match together. */
export const promptFilterNames = ['promptName', 'promptVersion'] as const satisfies readonly FilterName[];
const bounds: ReadonlySet<FilterName> = new Set<FilterName>(['minScore', 'maxScore']);
const amounts: ReadonlySet<FilterName> = new Set<FilterName>(['minLatency', 'minCost']);
const choices: Partial<Record<FilterName, readonly string[]>> = { status: ['ok', 'error'], passed: ['true', 'false'] };

/** The filters in a URL. */
export interface FilterSearch extends Partial<Record<FilterName, string | undefined>> {
  q?: string | undefined;
}

/** A string parameter of a URL; undefined if missing or empty. */
export function searchText(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a filter takes a number. */
export function isNumeric(name: FilterName): boolean {
  return bounds.has(name) || amounts.has(name);
}

/** Parses the filters of a URL; invalid values are dropped. */
export function readFilters(search: Record<string, unknown>, names: readonly FilterName[] = filterNames): FilterSearch {
  const read: FilterSearch = {};
  for (const name of names) {
    const value = searchText(search, name);
    if (value === undefined) continue;
    if (amounts.has(name) && !(Number(value) >= 0)) continue;
    if (bounds.has(name) && !Number.isFinite(Number(value))) continue;
    if (choices[name]?.includes(value) === false) continue;
    read[name] = value;
  }
  // The service rejects a minimum above the maximum.
  if (Number(read.minScore) > Number(read.maxScore)) delete read.minScore;
  const q = searchText(search, 'q');
  return q === undefined ? read : { ...read, q };
}

/** Filters that are shown as one chip. */
export interface SetFilter {
  /** Removed together. */
  names: readonly FilterName[];
  label: string;
  value: string;
}

/** The active filters as chips: score filters form one chip, and so do prompt and version. `status` has its own toggle. */
export function setFilters(search: FilterSearch, names: readonly FilterName[] = filterNames): SetFilter[] {
  const joint: readonly FilterName[] = [...scoreFilterNames, ...promptFilterNames];
  const single = names.flatMap((name): SetFilter[] => {
    const value = search[name];
    return value === undefined || name === 'status' || joint.includes(name)
      ? []
      : [{ names: [name], label: filterLabels[name], value }];
  });
  const score = names.includes('evaluator') ? scoreLabel(search) : null;
  const prompt = names.includes('promptName') ? promptLabel(search) : null;
  return [
    ...single,
    ...(score === null ? [] : [{ names: scoreFilterNames, label: 'Score', value: score }]),
    ...(prompt === null ? [] : [{ names: promptFilterNames, label: 'Prompt', value: prompt }]),
  ];
}

function scoreLabel({ evaluator, minScore, maxScore, passed }: FilterSearch): string | null {
  const between = minScore !== undefined && maxScore !== undefined ? `${minScore} to ${maxScore}` : undefined;
  const bound = between ?? (minScore === undefined ? maxScore && `≤ ${maxScore}` : `≥ ${minScore}`);
  const verdict = passed && (passed === 'true' ? 'passed' : 'failed');
  const label = [bound, verdict].filter((part) => part !== undefined).join(', ');
  if (evaluator === undefined) return label === '' ? null : `any evaluator ${label}`;
  return label === '' ? evaluator : `${evaluator} ${label}`;
}

function promptLabel({ promptName, promptVersion }: FilterSearch): string | null {
  if (promptName === undefined) return promptVersion === undefined ? null : `any, version ${promptVersion}`;
  return promptVersion === undefined ? promptName : `${promptName} version ${promptVersion}`;
}
