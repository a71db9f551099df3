import type { EChartsCoreOption } from 'echarts/core';
import { formatExact } from '../format/number-format.ts';
import type { CategoryChart, ChartMark, ChartModel, Series } from './chart-model.ts';
import { axisLabel, marksHeight, tooltip, tooltipOf } from './chart-parts.ts';
import { noCanvas, scatter } from './scatter-option.ts';
import type { Canvas } from './scatter-option.ts';
import type { ThemeColors } from './theme.ts';

interface Drawing {
  canvas?: Canvas;
  /** The current marks, for tooltips; undefined for a chart that has none. */
  marksOf?: (() => readonly ChartMark[]) | undefined;
}

/** The ECharts option of a chart. */
export function chartOption(
  model: ChartModel,
  colors: ThemeColors,
  { canvas = noCanvas, marksOf }: Drawing = {},
): EChartsCoreOption {
  return {
    animation: false,
    textStyle: { color: colors.inkFaint, fontFamily: 'system-ui, sans-serif', fontSize: 11 },
    ...(model.kind === 'scatter' ? scatter(model, colors, canvas) : categories(model, colors, marksOf)),
  };
}

function colorOf(series: Series, index: number, colors: ThemeColors): string {
  if (series.color === 'bad') return colors.bad;
  if (series.color === 'ink') return colors.ink;
  return colors.series[(series.color ?? index + 1) - 1] ?? colors.accent;
}

/** The axis ends with the scale where rounding up would take it to the end or beyond. */
function axisEnd(limit: number | undefined, values: ReadonlyArray<number | null>): { max?: number; interval?: number } {
  const highest = values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
  // Axes are rounded up by at most a third.
  // Without a value above 0 the axis would end at some default, which can be beyond the scale.
  const isBeyond = highest > 0 && (highest <= (limit ?? 0) * 0.74 || highest > (limit ?? 0));
  return limit === undefined || isBeyond ? {} : { max: limit, interval: limit / 4 };
}

/** A line's points. One without neighbours is visible only with a symbol. */
function linePoints(values: Series['values']) {
  const isIsolated = (index: number) => (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
  return values.map((value, index) => ({ value, symbol: value !== null && isIsolated(index) ? 'circle' : 'none' }));
}

/** A bar's values. An unfinished category is hatched. */
function barValues({ unfinished = false }: CategoryChart, values: Series['values']) {
  const last = values.length - 1;
  return values.map((value, index) => (unfinished && index === last ? { value, itemStyle: hatched } : value));
}

const hatched = {
  decal: { symbol: 'rect', color: 'rgba(255, 255, 255, 0.45)', dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -Math.PI / 4 },
};

/** The rows of a tooltip, and the sum of stacked bars. */
export function tooltipRows(
  model: CategoryChart,
  items: ReadonlyArray<Pick<TooltipItem, 'seriesName' | 'value' | 'color'>>,
): Array<[name: string, value: string, color: string]> {
  const format = (value: number) => (model.whole === true ? formatExact(value) : model.format(value));
  const given = items.filter(({ value }) => value !== null && value !== undefined);
  const rows = given.map(({ seriesName, value, color }): [string, string, string] => [seriesName, format(value ?? 0), color]);
  if (model.stacked !== true || rows.length < 2) return rows;
  return [...rows, ['Total', format(given.reduce((sum, { value }) => sum + (value ?? 0), 0)), 'transparent']];
}

interface TooltipItem {
  seriesName: string;
  value: number | null;
  color: string;
  name: string;
  dataIndex: number;
}

/** A tooltip names at most so many events. */
const maxNamed = 5;

function namesAt(marks: readonly ChartMark[], category: number | undefined): string[] {
  const events = marks.find((mark) => mark.category === category)?.events ?? [];
  const names = events.slice(0, maxNamed).map(({ name }) => name);
  return events.length > maxNamed ? [...names, `and ${events.length - maxNamed} more`] : names;
}

function categories(model: CategoryChart, colors: ThemeColors, marksOf: Drawing['marksOf']): EChartsCoreOption {
  const isSigned = model.series.some(({ values }) => values.some((value) => (value ?? 0) < 0));
  return {
    grid: { left: 4, right: 10, top: marksOf ? marksHeight + 2 : 10, bottom: 2, containLabel: true },
    tooltip: {
      ...tooltip(colors),
      trigger: 'axis',
      axisPointer: { type: model.kind === 'bars' ? 'shadow' : 'line', shadowStyle: { opacity: 0.12 } },
      formatter: (items: readonly TooltipItem[]) =>
        tooltipOf(
          `${items[0]?.name ?? ''}${model.unfinished === true && items[0]?.dataIndex === model.categories.length - 1 ? ' (so far)' : ''}`,
          tooltipRows(model, items),
          namesAt(marksOf?.() ?? [], items[0]?.dataIndex),
        ),
    },
    xAxis: {
      type: 'category',
      data: model.categories,
      axisTick: { show: false },
      // Labels stay below negative values.
      axisLine: { lineStyle: { color: colors.line }, ...(isSigned ? { onZero: false } : {}) },
      axisLabel: { ...axisLabel(colors), hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      ...(isSigned ? {} : { min: 0 }),
      ...axisEnd(
        model.limit,
        model.series.flatMap(({ values }) => values),
      ),
      ...(model.whole === true ? { minInterval: 1 } : {}),
      splitNumber: 4,
      axisLabel: { ...axisLabel(colors), formatter: (value: number) => model.format(value) },
      splitLine: { lineStyle: { color: colors.line } },
    },
    series: model.series.map((series, index) => ({
      name: series.name,
      data: model.kind === 'bars' ? barValues(model, series.values) : linePoints(series.values),
      color: colorOf(series, index, colors),
      ...(model.kind === 'bars'
        ? { type: 'bar', barMaxWidth: 26, ...(model.stacked === true ? { stack: 'all' } : {}) }
        : {
            type: 'line',
            showSymbol: true,
            symbolSize: 5,
            lineStyle: series.dashed === true ? { width: 1.4, type: 'dashed' } : { width: series.color === 'ink' ? 2.4 : 1.8 },
            triggerLineEvent: true,
          }),
    })),
  };
}
