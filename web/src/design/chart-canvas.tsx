import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import type { EChartsType } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ChartMarks } from './chart-marks.tsx';
import type { Places } from './chart-marks.tsx';
import type { CategoryChart, ChartMark, ChartModel } from './chart-model.ts';
import { chartOption } from './chart-option.ts';
import { themeColors, useThemeName } from './theme.ts';

use([BarChart, LineChart, ScatterChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer]);

interface ChartCanvasProps {
  model: ChartModel;
  /** Marks over the chart; undefined for a chart that has none, which then needs no place for them. */
  marks: readonly ChartMark[] | undefined;
  height: number;
}

/** Draws a chart and redraws it when the theme changes. Screen readers are referred to the table view. */
export default function ChartCanvas(props: ChartCanvasProps): ReactNode {
  return <Canvas key={useThemeName()} {...props} />;
}

const pair = ([x = 0, y = 0]: readonly number[]) => [x, y] as const;

/** Clicks on a bar or line open that series, clicks beside it the whole category. */
function listen(chart: EChartsType, open: NonNullable<CategoryChart['open']>): void {
  const categoryAt = (x: number, y: number) =>
    chart.containPixel('grid', [x, y]) ? chart.convertFromPixel({ xAxisIndex: 0 }, x) : null;
  let series: string | null = null;
  chart.on('mousedown', ({ seriesName }) => {
    series = seriesName ?? null;
  });
  chart.getZr().on('click', ({ offsetX, offsetY }) => {
    const category = categoryAt(offsetX, offsetY);
    if (category !== null) open(Number(category), series);
    series = null;
  });
  chart
    .getZr()
    .on('mousemove', ({ offsetX, offsetY }) =>
      chart.getZr().setCursorStyle(categoryAt(offsetX, offsetY) === null ? 'default' : 'pointer'),
    );
}

/** Where the categories of a drawn chart are. */
function placesOf(chart: EChartsType, { categories }: CategoryChart): Places {
  return {
    categories: categories.map((_, index) => chart.convertToPixel({ xAxisIndex: 0 }, index)),
    bottom: chart.convertToPixel({ yAxisIndex: 0 }, 0),
  };
}

function Canvas({ model, marks, height }: ChartCanvasProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const [places, setPlaces] = useState<Places | null>(null);
  // Marks come later than the values: the tooltip reads them when it opens, so that the chart is not drawn again.
  const marked = useRef(marks);
  useEffect(() => {
    marked.current = marks;
  }, [marks]);
  const hasMarks = marks !== undefined;
  useEffect(() => {
    if (!element.current) return undefined;
    const chart = init(element.current, null, { renderer: 'canvas' });
    const canvas = {
      width: () => chart.getWidth(),
      pixelOf: ({ x, y }: { x: number; y: number }) => pair(chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [x, y])),
    };
    const marksOf = hasMarks ? () => marked.current ?? [] : undefined;
    chart.setOption(chartOption(model, themeColors(element.current), { canvas, marksOf }));
    if (model.kind !== 'scatter' && model.open) listen(chart, model.open);
    const place = () => {
      if (hasMarks && model.kind !== 'scatter') setPlaces(placesOf(chart, model));
    };
    place();
    const resized = new ResizeObserver(() => {
      chart.resize();
      place();
    });
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      chart.dispose();
    };
  }, [model, hasMarks]);
  const label = `Chart: ${model.title}${model.unit === '' ? '' : `, ${model.unit}`}. Use the button above for a table.`;
  return (
    <div className="relative">
      <div ref={element} role="img" aria-label={label} style={{ height }} />
      {marks && places && <ChartMarks marks={marks} places={places} />}
    </div>
  );
}
