import type { EChartsCoreOption } from 'echarts/core';
import { visibleText } from '../format/visible-text.ts';
import type { Point, ScatterChart } from './chart-model.ts';
import { axisLabel, tooltip, tooltipOf } from './chart-parts.ts';
import { placeLabel } from './label-place.ts';
import type { Rect } from './label-place.ts';
import type { ThemeColors } from './theme.ts';

/** The size of a drawn chart, and the pixels of its points. */
export interface Canvas {
  width(): number;
  pixelOf(point: Point): readonly [x: number, y: number];
}

export const noCanvas: Canvas = { width: () => 0, pixelOf: () => [0, 0] };

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

/** The axis of values ends with the scale where rounding up would take it to the end or beyond. */
export function valueEnd({ points, y: { limit } }: ScatterChart): { max?: number } {
  const values = points.map(({ y }) => y);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // Axes are rounded up by at most a third of what they show.
  return limit === undefined || highest > limit || highest + (highest - lowest) / 3 < limit ? {} : { max: limit };
}

/** The ECharts option of a scatter plot. */
export function scatter(model: ScatterChart, colors: ThemeColors, canvas: Canvas): EChartsCoreOption {
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
      ...valueEnd(model),
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
            // By default the width of an ideograph, which is too low where no font has one.
            lineHeight: 14,
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
