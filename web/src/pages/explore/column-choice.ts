/** A column of the list that is shown, and its width in pixels where the viewer has changed it. */
export interface ChosenColumn {
  id: string;
  width?: number;
}

/** Maximum columns of a list. */
export const maxColumns = 40;
const [leastWidth, greatestWidth] = [40, 1200];

/** The columns that a list of traces shows at first. */
export const traceColumnIds = ['name', 'input', 'models', 'tokens', 'cost', 'latency', 'startTime'] as const;

/** The columns that a list of spans shows at first. Scores of an evaluator have the id `score.<evaluator>`. */
export const spanColumnIds = ['name', 'input', 'model', 'tokens', 'cost', 'latency', 'startTime'] as const;

/** Reads `input~240`: the id of a column with its width. null for none. */
export function readColumn(text: string): ChosenColumn | null {
  const [, id = '', width] = /^(.+?)(?:~(\d{1,5}))?$/s.exec(text.slice(0, 200)) ?? [];
  if (id === '') return null;
  return width === undefined ? { id } : { id, width: within(Number(width)) };
}

/** The inverse of {@link readColumn}. */
export function columnText({ id, width }: ChosenColumn): string {
  return width === undefined ? id : `${id}~${within(Math.round(width))}`;
}

const within = (width: number) => Math.min(greatestWidth, Math.max(leastWidth, width));

/** The shown columns, each once. @param texts of the URL @param usual ids of the columns that are shown without a choice */
export function chosenColumns(texts: string | readonly string[] | undefined, usual: readonly string[]): readonly ChosenColumn[] {
  const read = texts === undefined ? [] : [texts].flat().flatMap((text) => readColumn(text) ?? []);
  const distinct = [...new Map(read.map((column) => [column.id, column])).values()];
  return distinct.length === 0 ? usual.map((id) => ({ id })) : distinct;
}

/**
 * The choice with a column shown or hidden; the last one stays.
 *
 * @param before a further column stands before the first of these, else behind all
 */
export function toggledColumn(
  chosen: readonly ChosenColumn[],
  id: string,
  before: (id: string) => boolean = () => false,
): readonly ChosenColumn[] {
  const others = chosen.filter((column) => column.id !== id);
  if (others.length === chosen.length) {
    const place = chosen.findIndex((column) => before(column.id));
    return place === -1 ? [...chosen, { id }] : [...chosen.slice(0, place), { id }, ...chosen.slice(place)];
  }
  return others.length === 0 ? chosen : others;
}

/** The choice with a column moved by places, to the right where they are positive. */
export function movedColumn(chosen: readonly ChosenColumn[], id: string, by: number): readonly ChosenColumn[] {
  const from = chosen.findIndex((column) => column.id === id);
  const moved = chosen[from];
  if (moved === undefined) return chosen;
  const others = chosen.filter((column) => column !== moved);
  const to = Math.min(others.length, Math.max(0, from + by));
  return [...others.slice(0, to), moved, ...others.slice(to)];
}

/** The choice with the width of a column. */
export function sizedColumn(chosen: readonly ChosenColumn[], id: string, width: number): readonly ChosenColumn[] {
  return chosen.map((column) => (column.id === id ? { id, width: within(Math.round(width)) } : column));
}

/** The texts of a choice for the URL; undefined where it is the usual one. */
export function columnTexts(chosen: readonly ChosenColumn[], usual: readonly string[]): readonly string[] | undefined {
  const texts = chosen.map(columnText);
  return texts.join('\n') === usual.join('\n') ? undefined : texts;
}

/** The columns of a list of traces that a link of an earlier release shows. @param hidden ids */
export function columnsWithout(hidden: readonly string[]): readonly string[] {
  const order = [
    'name',
    'input',
    'output',
    'models',
    'agents',
    'session',
    'user',
    'environment',
    'tags',
    'spans',
    'tokens',
    'cost',
    'latency',
    'startTime',
  ];

  return order.filter((id) => !hidden.includes(id));
}
