/** A row of the table: what was measured and its target. */
export interface Figure {
  title: string;
  /** One value a repetition, in `unit`. Both sides of a ratio are measured in the same repetition. */
  values: readonly number[];
  /** Empty for a ratio. */
  unit: string;
  wanted?: { most: number } | { least: number };
  /** The measurements behind the values, as text. */
  detail?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[Math.max(middle - 1, 0)], sorted[middle]];
  return sorted.length % 2 === 0 ? (below + above) / 2 : above;
}

/** The smallest value that at least a fraction `q` of the values do not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

/** Whether the median meets the target; null without a target. */
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

/** The figures as a Markdown table: the median, and the range of the repetitions in brackets. */
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
