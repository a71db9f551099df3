/** One line of the table: what was measured, and what was wanted of it. */
export interface Figure {
  title: string;
  /** One for each repetition, in `unit`; a ratio has both its sides measured in the same repetition. */
  values: readonly number[];
  /** `''` for a ratio. */
  unit: string;
  wanted?: { most: number } | { least: number };
  /** What the values are made of, for the reader. */
  detail?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[Math.max(middle - 1, 0)], sorted[middle]];
  return sorted.length % 2 === 0 ? (below + above) / 2 : above;
}

/** The value that a fraction `q` of all do not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

/** Whether the median is as wanted; null where nothing was. */
export function isMet({ values, wanted }: Figure): boolean | null {
  if (!wanted) return null;
  return 'most' in wanted ? median(values) <= wanted.most : median(values) >= wanted.least;
}

const wantedText = ({ wanted }: Figure) => (!wanted ? '' : 'most' in wanted ? `≤ ${wanted.most}` : `≥ ${wanted.least}`);

function measuredText({ values, unit }: Figure): string {
  const digits = unit === '' ? 2 : Math.max(...values) < 10 ? 1 : 0;
  const text = (value: number) => value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const spread = values.length === 1 ? '' : ` (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
  return `${text(median(values))}${unit === '' ? '' : ` ${unit}`}${spread}`;
}

/** The figures as a Markdown table: median, and the range of the repetitions in brackets. */
export function tableOf(figures: readonly Figure[]): string {
  const verdicts = new Map([
    [true, 'met'],
    [false, '**missed**'],
  ]);
  const rows = figures.map((figure) => [
    figure.title,
    `${measuredText(figure)}${figure.detail === undefined ? '' : `; ${figure.detail}`}`,
    wantedText(figure),
    verdicts.get(isMet(figure) ?? true) === 'met' && !figure.wanted ? '' : (verdicts.get(isMet(figure) === true) ?? ''),
  ]);
  const lines = [['figure', 'measured', 'wanted', ''], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
