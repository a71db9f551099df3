import { simulationMark } from '../../src/contract/kinds.ts';
import { maxFilterValues } from '../../src/contract/limits.ts';

/** Labels of the trace filters by parameter name. */
export const filterLabels = {
  model: 'Model',
  agent: 'Agent',
  session: 'Session',
  user: 'User',
  environment: 'Environment',
  release: 'Release',
  name: 'Name',
  status: 'Status',
  errorCode: 'Error code',
  tag: 'Tag',
  metadata: 'Metadata',
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

/** Filters that may have several values, of which a trace matches any. */
export const multipleNames = [
  'model',
  'agent',
  'session',
  'user',
  'environment',
  'release',
  'name',
  'errorCode',
  'tag',
  'metadata',
] as const satisfies readonly FilterName[];
export type MultipleName = (typeof multipleNames)[number];
type SingleName = Exclude<FilterName, MultipleName>;

export function isMultiple(name: FilterName): name is MultipleName {
  return multipleNames.some((one) => one === name);
}

/** Filters that one score must match together. */
export const scoreFilterNames = ['evaluator', 'minScore', 'maxScore', 'passed'] as const satisfies readonly FilterName[];
/** Filters that one span must match together. */
export const promptFilterNames = ['promptName', 'promptVersion'] as const satisfies readonly FilterName[];
const bounds: ReadonlySet<FilterName> = new Set<FilterName>(['minScore', 'maxScore']);
const amounts: ReadonlySet<FilterName> = new Set<FilterName>(['minLatency', 'minCost']);
const choices: Partial<Record<FilterName, readonly string[]>> = { status: ['ok', 'error'], passed: ['true', 'false'] };

/** The filters in a URL. */
export interface FilterSearch
  extends Partial<Record<SingleName, string | undefined>>, Partial<Record<MultipleName, string | readonly string[] | undefined>> {
  q?: string | undefined;
  /** In the language of filters. */
  filter?: string | undefined;
  /** Traces of simulations are shown as well. */
  simulated?: '1' | undefined;
}

/** The values of a filter that may have several. */
export function filterValues(search: FilterSearch, name: MultipleName): readonly string[] {
  const value = search[name];
  return value === undefined ? [] : [value].flat();
}

/** As few values as a URL names: none, one, or a list. An empty environment asks for traces without one. */
function shortened(name: MultipleName, values: readonly string[]): string | readonly string[] | undefined {
  const given = values.filter((value) => value !== '' || name === 'environment');
  const distinct = [...new Set(given)].slice(0, maxFilterValues);
  return distinct.length > 1 ? distinct : distinct[0];
}

/** The change that adds filters to others: a value joins those that its filter has. */
export function addedFilters(search: FilterSearch, added: FilterSearch): FilterSearch {
  const joined = multipleNames.flatMap((name) =>
    added[name] === undefined ? [] : [[name, shortened(name, [...filterValues(search, name), ...filterValues(added, name)])]],
  );
  return { ...added, ...(Object.fromEntries(joined) as FilterSearch) };
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
    if (isMultiple(name)) {
      const values = shortened(
        name,
        [search[name]].flat().filter((one) => typeof one === 'string'),
      );
      if (values !== undefined) read[name] = values;
      continue;
    }
    const value = searchText(search, name);
    if (value === undefined) continue;
    if (amounts.has(name) && !(Number(value) >= 0)) continue;
    if (bounds.has(name) && !Number.isFinite(Number(value))) continue;
    if (choices[name]?.includes(value) === false) continue;
    read[name] = value;
  }
  // The service rejects a minimum above the maximum.
  if (Number(read.minScore) > Number(read.maxScore)) delete read.minScore;
  for (const name of ['q', 'filter'] as const) {
    const text = searchText(search, name);
    if (text !== undefined) read[name] = text;
  }
  if (search['simulated'] === '1') read.simulated = '1';
  return read;
}

/** Whether a filter names what marks the traces of simulations, or where spans come from. */
function namesSimulations(search: FilterSearch): boolean {
  const isNamed = (['agent', 'environment', 'tag'] as const).some((name) => filterValues(search, name).includes(simulationMark));
  return isNamed || /\bsource:|\bsimulation\b/.test(search.filter ?? '');
}

/** The parameter of a list that leaves out the traces of simulations, or shows them; none where a filter asks for them. */
export function simulatedFilter(search: FilterSearch): { simulated?: 'false' | 'any' } {
  if (search.simulated === '1') return { simulated: 'any' };
  return namesSimulations(search) ? {} : { simulated: 'false' };
}

/** Filters that are shown as one chip. */
export interface SetFilter {
  label: string;
  value: string;
  /** The change that removes it. */
  removed: FilterSearch;
}

const without = (names: readonly FilterName[]): FilterSearch => Object.fromEntries(names.map((name) => [name, undefined]));

/** The active filters as chips: score filters form one chip, and so do prompt and version. `status` has its own toggle. */
export function setFilters(search: FilterSearch, names: readonly FilterName[] = filterNames): SetFilter[] {
  const joint: readonly FilterName[] = [...scoreFilterNames, ...promptFilterNames];
  const single = names.flatMap((name): SetFilter[] => {
    const label = filterLabels[name];
    if (isMultiple(name)) {
      const values = filterValues(search, name);
      return values.map((value) => ({
        label,
        value: value === '' ? 'none' : value,
        removed: {
          [name]: shortened(
            name,
            values.filter((one) => one !== value),
          ),
        },
      }));
    }
    const value = search[name];
    return value === undefined || name === 'status' || joint.includes(name) ? [] : [{ label, value, removed: without([name]) }];
  });
  const score = names.includes('evaluator') ? scoreLabel(search) : null;
  const prompt = names.includes('promptName') ? promptLabel(search) : null;
  return [
    ...single,
    ...(score === null ? [] : [{ label: 'Score', value: score, removed: without(scoreFilterNames) }]),
    ...(prompt === null ? [] : [{ label: 'Prompt', value: prompt, removed: without(promptFilterNames) }]),
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
