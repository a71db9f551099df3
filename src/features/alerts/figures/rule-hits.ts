import type { Condition } from '../condition.ts';
import { columnOf, nameColumns } from './source-sql.ts';

/** A rule whose figures are read. */
export interface ReadRule {
  condition: Condition;
  /** Scopes that come before all others. */
  kept: readonly string[];
}

type NameFilter = keyof typeof nameColumns;
type Column = (typeof nameColumns)[NameFilter] | (typeof columnOf)[keyof typeof columnOf];
/** The text of a column in a statement. */
type NameOf = (column: Column) => string;
const nameFilters = Object.keys(nameColumns) as NameFilter[];

/** Columns of calls that scores do not have. */
const callColumns: ReadonlySet<Column> = new Set(['agent_name', 'operation', 'environment']);

export const isOfCall = (column: Column): boolean => callColumns.has(column);

/** The columns that a rule distinguishes; `guardrails` are no column. */
export function columnsOf({ filter, environment, groupBy }: Condition): Column[] {
  return [
    ...nameFilters.filter((field) => filter[field] !== undefined).map((field) => nameColumns[field]),
    ...(environment === null ? [] : [columnOf.environment]),
    ...(groupBy === null ? [] : [columnOf[groupBy]]),
  ];
}

/** The columns that any of some rules distinguishes, each once. */
export const columnsOfAll = (rules: readonly ReadRule[]): Column[] => [
  ...new Set(rules.flatMap(({ condition }) => columnsOf(condition))),
];

/** What a rule asks of some columns. `index` numbers its parameters. */
function conditionsOn(
  { filter, environment, groupBy }: Condition,
  index: number,
  wanted: (column: Column) => boolean,
  nameOf: NameOf = (column) => column,
): string[] {
  const names = nameFilters.filter((field) => filter[field] !== undefined && wanted(nameColumns[field]));
  return [
    ...names.map((field) => `${nameOf(nameColumns[field])} IN {${field}${index}:Array(String)}`),
    ...(environment !== null && wanted('environment') ? [`${nameOf('environment')} = {environment${index}:String}`] : []),
    ...(groupBy !== null && wanted(columnOf[groupBy]) ? [`${nameOf(columnOf[groupBy])} != ''`] : []),
  ];
}

/** The lengths of the rules' windows, the shortest first. */
function windowsOf(rules: readonly ReadRule[]): number[] {
  return [...new Set(rules.map(({ condition }) => condition.windowMs))].toSorted((left, right) => left - right);
}

/** The number of the shortest window that has a row, from 1; the longer ones have it too. Needs {@link sinceParameters}. */
export function withinSql(rules: readonly ReadRule[]): string {
  const longer = windowsOf(rules).slice(1);
  return `toUInt8(${['1', ...longer.map((_, index) => `(start_time < fromUnixTimestamp64Milli({since${index}:Int64}))`)].join(' + ')})`;
}

/** When each window but the longest begins. */
export function sinceParameters(rules: readonly ReadRule[], nowMs: number): Record<string, number> {
  const shorter = windowsOf(rules).slice(0, -1);
  return Object.fromEntries(shorter.map((windowMs, index) => [`since${index}`, nowMs - windowMs]));
}

/** Conditions of a rule on a row with its columns and `within`. */
function rowConditions(
  rules: readonly ReadRule[],
  { condition }: ReadRule,
  index: number,
  wanted: (column: Column) => boolean,
): string[] {
  const windows = windowsOf(rules);
  const window = windows.indexOf(condition.windowMs) + 1;
  return [...(window === windows.length ? [] : [`within <= ${window}`]), ...conditionsOn(condition, index, wanted)];
}

const listed = (conditions: readonly string[], list: string) =>
  conditions.length === 0 ? list : `if(${conditions.join(' AND ')}, ${list}, [])`;

const scopeOf = ({ groupBy }: Condition) => (groupBy === null ? `''` : `toString(${columnOf[groupBy]})`);

/**
 * What a row with the columns of the rules, and `within`, is to them: an array of the number of each rule that counts it, from 1, and the scope.
 *
 * @param further what else a hit of a rule has
 */
export function hitsOf(rules: readonly ReadRule[], further: (condition: Condition, index: number) => string = () => ''): string {
  const hits = rules.map((rule, index) => {
    const hit = `[(toUInt8(${index + 1}), ${scopeOf(rule.condition)}${further(rule.condition, index)})]`;
    return listed(
      rowConditions(rules, rule, index, () => true),
      hit,
    );
  });
  return `arrayConcat(${hits.join(', ')})`;
}

/** Whether a call is one that any of the rules counts by. */
export const matchesAny = (rules: readonly ReadRule[]): string =>
  rules.map(({ condition }, index) => `(${conditionsOn(condition, index, isOfCall).join(' AND ')})`).join(' OR ');

/**
 * The same for a row with `called_of`, an array of what its calls have of the columns for which {@link isOfCall} is true: a rule counts the row once for each
 * scope of a call that matches.
 *
 * @param columns those of a call, in their order
 */
export function hitsOfCalls(rules: readonly ReadRule[], columns: readonly Column[]): string {
  const nameOf = (column: Column) => `c.${columns.indexOf(column) + 1}`;
  const hits = rules.map((rule, index) => {
    const { condition } = rule;
    const ofCall = conditionsOn(condition, index, isOfCall, nameOf).join(' AND ');
    const ofRow = rowConditions(rules, rule, index, (column) => !isOfCall(column));
    const number = `toUInt8(${index + 1})`;
    if (condition.groupBy === null || condition.groupBy === 'model') {
      return listed([...ofRow, `arrayExists(c -> ${ofCall}, called_of)`], `[(${number}, ${scopeOf(condition)})]`);
    }
    const scopes = `arrayDistinct(arrayMap(c -> ${nameOf(columnOf[condition.groupBy])}, arrayFilter(c -> ${ofCall}, called_of)))`;
    return listed(ofRow, `arrayMap(named -> (${number}, named), ${scopes})`);
  });
  return `arrayConcat(${hits.join(', ')})`;
}
