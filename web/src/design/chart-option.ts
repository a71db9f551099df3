import type { EChartsCoreOption } from 'echarts/core';
import { visibleText } from '../format/visible-text.ts';
import type { CategoryChart, ChartModel, Point, ScatterChart, Series } from './chart-model.ts';
import { placeLabel } from './label-place.ts';
import type { Rect } from './label-place.ts';
import type { ThemeColors } from './theme.ts';

/** The size of a drawn chart, and the pixels of its points. */
export interface Canvas {
  width(): number;
  pixelOf(point: Point): readonly [x: number, y: number];
}

const noCanvas: Canvas = { width: () => 0, pixelOf: () => [0, 0] };

/** The ECharts option of a chart. */
export function chartOption(model: ChartModel, colors: ThemeColors, canvas = noCanvas): EChartsCoreOption {
  return {
    animation: false,
    textStyle: { color: colors.inkFaint, fontFamily: 'system-ui, sans-serif', fontSize: 11 },
    ...(model.kind === 'scatter' ? scatter(model, colors, canvas) : categories(model, colors)),
  };
}

function tooltip(colors: ThemeColors): Record<string, unknown> {
  return {
    confine: true,
    backgroundColor: colors.raised,
    borderColor: colors.line,
    padding: [6, 10],
    textStyle: { color: colors.ink, fontSize: 12 },
    transitionDuration: 0,
  };
}

/** A tooltip built from elements, because names are untrusted and must not be parsed as HTML. */
function tooltipOf(title: string, rows: ReadonlyArray<[name: string, value: string, color: string]>): HTMLElement {
  const box = document.createElement('div');
  const head = document.createElement('div');
  head.textContent = visibleText(title);
  head.style.fontWeight = '600';
  box.append(head);
  for (const [name, value, color] of rows) {
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;gap:12px;justify-content:space-between;align-items:center';
    const label = document.createElement('bdi');
    label.textContent = visibleText(name);
    const dot = document.createElement('span');
    dot.style.cssText = `width:8px;height:8px;border-radius:2px;flex:none;background:${color}`;
    const left = document.createElement('span');
    left.style.cssText = 'display:flex;gap:6px;align-items:center';
    left.append(dot, label);
    const right = document.createElement('b');
    right.textContent = value;
    row.append(left, right);
    box.append(row);
  }
  return box;
}

const axisLabel = (colors: ThemeColors) => ({ color: colors.inkFaint, fontSize: 11 });

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

const maxLabelLength = 28;
const shortened = (name: string) => (name.length <= maxLabelLength ? name : `${name.slice(0, maxLabelLength - 1)}…`);
const symbolSize = (point: Point) => (point.marked === true ? 15 : 10);

/** Places the names of points so that none covers another. Called for each point in order, whenever the chart is drawn. */
function labelLayout(points: readonly Point[], canvas: Canvas) {
  let placed: Rect[] = [];
  const symbolOf = (point: Point): Rect => {
    const [x, y] = canvas.pixelOf(point);
    const size = symbolSize(point);
    return { x: x - size / 2, y: y - size / 2, width: size, height: size };
  };
  return ({ dataIndex, rect, labelRect }: { dataIndex: number; rect: Rect; labelRect: Rect }) => {
    if (dataIndex === 0) placed = points.map(symbolOf);
    const { x, y } = placeLabel(rect, labelRect, placed, canvas.width());
    placed.push({ ...labelRect, x, y });
    return { x, y: y + labelRect.height / 2, align: 'left', verticalAlign: 'middle' };
  };
}

function scatter(model: ScatterChart, colors: ThemeColors, canvas: Canvas): EChartsCoreOption {
  return {
    grid: { left: 8, right: 24, top: 26, bottom: 22, containLabel: true },
    tooltip: {
      ...tooltip(colors),
      trigger: 'item',
      formatter: ({ name, value, color }: { name: string; value: [number, number]; color: string }) =>
        tooltipOf(name, [
          [model.x.name, model.x.format(value[0]), color],
          [model.y.name, model.y.format(value[1]), color],
        ]),
    },
    xAxis: {
      type: 'value',
      name: model.x.name,
      nameLocation: 'middle',
      nameGap: 24,
      min: 0,
      axisLabel: { ...axisLabel(colors), formatter: (value: number) => model.x.format(value), hideOverlap: true },
      splitLine: { show: false },
      axisLine: { show: true, lineStyle: { color: colors.line } },
    },
    yAxis: {
      type: 'value',
      name: model.y.name,
      nameTextStyle: { align: 'left' },
      scale: true,
      ...(model.y.limit === undefined ? {} : { max: model.y.limit }),
      axisLabel: { ...axisLabel(colors), formatter: (value: number) => model.y.format(value) },
      splitLine: { lineStyle: { color: colors.line } },
    },
    series: [
      ...(model.line === undefined
        ? []
        : [
            {
              type: 'line',
              name: model.line.name,
              data: model.line.points.map((point) => [point.x, point.y]),
              silent: true,
              showSymbol: false,
              color: colors.inkFaint,
              lineStyle: { type: 'dashed', width: 1.5 },
            },
          ]),
      {
        type: 'scatter',
        z: 3,
        data: model.points.map((point) => ({
          name: point.name,
          value: [point.x, point.y],
          symbolSize: symbolSize(point),
          itemStyle: { color: point.marked === true ? colors.accent : colors.series[5] },
          label: {
            show: true,
            formatter: shortened(visibleText(point.name)),
            color: point.marked === true ? colors.ink : colors.inkFaint,
            fontWeight: point.marked === true ? 600 : 400,
            fontSize: 11,
            // The line goes behind the names.
            backgroundColor: colors.surface,
          },
        })),
        labelLayout: labelLayout(model.points, canvas),
        labelLine: { show: true, lineStyle: { color: colors.line } },
      },
    ],
  };
}
