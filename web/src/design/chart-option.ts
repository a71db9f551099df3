import type { EChartsCoreOption } from 'echarts/core';
import type { CategoryChart, ChartModel, Series } from './chart-model.ts';
import { axisLabel, tooltip, tooltipOf } from './chart-parts.ts';
import { noCanvas, scatter } from './scatter-option.ts';
import type { ThemeColors } from './theme.ts';

/** The ECharts option of a chart. */
export function chartOption(model: ChartModel, colors: ThemeColors, canvas = noCanvas): EChartsCoreOption {
  return {
    animation: false,
    textStyle: { color: colors.inkFaint, fontFamily: 'system-ui, sans-serif', fontSize: 11 },
    ...(model.kind === 'scatter' ? scatter(model, colors, canvas) : categories(model, colors)),
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
  return limit === undefined || highest <= limit * 0.74 || highest > limit ? {} : { max: limit, interval: limit / 4 };
}

/** A line's points. One without neighbours is visible only with a symbol. */
function linePoints(values: Series['values']) {
  const isIsolated = (index: number) => (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
  return values.map((value, index) => ({ value, symbol: value !== null && isIsolated(index) ? 'circle' : 'none' }));
}

function categories(model: CategoryChart, colors: ThemeColors): EChartsCoreOption {
  return {
    grid: { left: 4, right: 10, top: 10, bottom: 2, containLabel: true },
    tooltip: {
      ...tooltip(colors),
      trigger: 'axis',
      axisPointer: { type: model.kind === 'bars' ? 'shadow' : 'line', shadowStyle: { opacity: 0.12 } },
      formatter: (items: ReadonlyArray<{ seriesName: string; value: number | null; color: string; name: string }>) =>
        tooltipOf(
          items[0]?.name ?? '',
          items
            .filter(({ value }) => value !== null && value !== undefined)
            .map(({ seriesName, value, color }) => [seriesName, model.format(value ?? 0), color]),
        ),
    },
    xAxis: {
      type: 'category',
      data: model.categories,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colors.line } },
      axisLabel: { ...axisLabel(colors), hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      min: 0,
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
      data: model.kind === 'bars' ? series.values : linePoints(series.values),
      color: colorOf(series, index, colors),
      ...(model.kind === 'bars'
        ? { type: 'bar', barMaxWidth: 26, ...(model.stacked === true ? { stack: 'all' } : {}) }
        : {
            type: 'line',
            showSymbol: true,
            symbolSize: 5,
            lineStyle: { width: series.color === 'ink' ? 2.4 : 1.8 },
            triggerLineEvent: true,
          }),
    })),
  };
}
