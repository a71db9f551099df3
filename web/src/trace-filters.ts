/** Filters of traces by the name of their parameter, with what people call them. */
export const filterLabels = {
  model: 'Model',
  agent: 'Agent',
  session: 'Session',
  user: 'User',
  environment: 'Environment',
  status: 'Status',
  tag: 'Tag',
  minLatency: 'Latency at least (ms)',
  minCost: 'Cost at least ($)',
  evaluator: 'Evaluator',
  minScore: 'Score at least',
  maxScore: 'Score at most',
  passed: 'Verdict',
  unscoredBy: 'Not scored by',
  promptName: 'Prompt',
  promptVersion: 'Prompt version',
} as const;
export type FilterName = keyof typeof filterLabels;
export const filterNames = Object.keys(filterLabels) as FilterName[];

/** One score answers all of these. */
export const scoreFilterNames = ['evaluator', 'minScore', 'maxScore', 'passed'] as const satisfies readonly FilterName[];
/** One span answers both. */
export const promptFilterNames = ['promptName', 'promptVersion'] as const satisfies readonly FilterName[];
const bounds: ReadonlySet<FilterName> = new Set<FilterName>(['minScore', 'maxScore']);
const amounts: ReadonlySet<FilterName> = new Set<FilterName>(['minLatency', 'minCost']);
const choices: Partial<Record<FilterName, readonly string[]>> = { status: ['ok', 'error'], passed: ['true', 'false'] };

/** What a URL holds of filters. */
export interface FilterSearch extends Partial<Record<FilterName, string | undefined>> {
  q?: string | undefined;
}

/** A text of a URL's search; undefined for what is none. */
export function searchText(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a filter takes a number. */
export function isNumeric(name: FilterName): boolean {
  return bounds.has(name) || amounts.has(name);
}

/** Reads the filters of a URL's search; what cannot be used is left out. */
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
  // The service refuses bounds that nothing lies between.
  if (Number(read.minScore) > Number(read.maxScore)) delete read.minScore;
  const q = searchText(search, 'q');
  return q === undefined ? read : { ...read, q };
}

/** Filters that are shown as one. */
export interface SetFilter {
  /** Taken away together. */
  names: readonly FilterName[];
  label: string;
  value: string;
}

/** The filters that are set, as they are shown: what one score answers is one, and so is a prompt with its version. `status` is left out. */
export function setFilters(search: FilterSearch, names: readonly FilterName[] = filterNames): SetFilter[] {
  const joint: readonly FilterName[] = [...scoreFilterNames, ...promptFilterNames];
  const single = names.flatMap((name): SetFilter[] => {
    const value = search[name];
    return value === undefined || name === 'status' || joint.includes(name)
      ? []
      : [{ names: [name], label: filterLabels[name], value }];
  });
  const score = names.includes('evaluator') ? scoreInWords(search) : null;
  const prompt = names.includes('promptName') ? promptInWords(search) : null;
  return [
    ...single,
    ...(score === null ? [] : [{ names: scoreFilterNames, label: 'Score', value: score }]),
    ...(prompt === null ? [] : [{ names: promptFilterNames, label: 'Prompt', value: prompt }]),
  ];
}

function scoreInWords({ evaluator, minScore, maxScore, passed }: FilterSearch): string | null {
  const between = minScore !== undefined && maxScore !== undefined ? `${minScore} to ${maxScore}` : undefined;
  const bound = between ?? (minScore === undefined ? maxScore && `up to ${maxScore}` : `from ${minScore}`);
  const verdict = passed && (passed === 'true' ? 'passed' : 'failed');
  const said = [bound, verdict].filter((part) => part !== undefined).join(', ');
  if (evaluator === undefined) return said === '' ? null : `any evaluator ${said}`;
  return said === '' ? evaluator : `${evaluator} ${said}`;
}

function promptInWords({ promptName, promptVersion }: FilterSearch): string | null {
  if (promptName === undefined) return promptVersion === undefined ? null : `version ${promptVersion} of any`;
  return promptVersion === undefined ? promptName : `${promptName} version ${promptVersion}`;
}
