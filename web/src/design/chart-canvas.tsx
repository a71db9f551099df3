import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ChartModel } from './chart-model.ts';
import { chartOption } from './chart-option.ts';
import { themeColors, useThemeName } from './theme.ts';

use([BarChart, LineChart, ScatterChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer]);

interface ChartCanvasProps {
  model: ChartModel;
  height: number;
}

/** Draws a chart and redraws it when the theme changes. Screen readers are referred to the table view. */
export default function ChartCanvas(props: ChartCanvasProps): ReactNode {
  return <Canvas key={useThemeName()} {...props} />;
}

function Canvas({ model, height }: ChartCanvasProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return undefined;
    const chart = init(element.current, null, { renderer: 'canvas' });
    chart.setOption(chartOption(model, themeColors(element.current)));
    const resized = new ResizeObserver(() => chart.resize());
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      chart.dispose();
    };
  }, [model]);
  const label = `Chart: ${model.title}${model.unit === '' ? '' : `, ${model.unit}`}. Use the button above for a table.`;
  return <div ref={element} role="img" aria-label={label} style={{ height }} />;
}
