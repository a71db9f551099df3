import { Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import type { ChartMark, ChartModel, Series } from './chart-model.ts';
import { ChartTable } from './chart-table.tsx';
import { deferred } from './deferred.tsx';
import { Skeleton } from './states.tsx';
import { VisibleLine } from './visible.tsx';

// ECharts is larger than the rest of a page. Start loading it with the page's code, in parallel with its data.
const loadCanvas = () => import('./chart-canvas.tsx');
loadCanvas().catch(() => undefined);
const ChartCanvas = deferred(loadCanvas, <Skeleton className="h-full" />);

interface ChartProps {
  model: ChartModel;
  /** What happened meanwhile. Empty while it loads: the chart keeps the place. */
  marks?: readonly ChartMark[] | undefined;
  /** A choice of what the chart shows, in its title row. */
  aside?: ReactNode;
  /** A caption below the chart. */
  note?: ReactNode;
  height?: number;
  className?: string;
}

/** A chart with title, unit and a table view. */
export function Chart({ model, marks, aside, note, height = 200, className }: ChartProps): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const drawn = useMemo(() => withoutSeries(model, hidden), [model, hidden]);
  const toggle = (name: string) => setHidden(hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name]);
  return (
    <Card
      {...(className === undefined ? {} : { className })}
      title={
        <>
          {model.title} <span className="font-normal text-ink-faint">{model.unit}</span>
        </>
      }
      aside={
        <>
          {aside}
          <IconButton
            label={asTable ? 'Show as chart' : 'Show as table'}
            size="small"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            <Table2 aria-hidden />
          </IconButton>
        </>
      }
    >
      <figure className="m-0 px-2 py-2" style={{ minHeight: height + 16 }}>
        {asTable ? (
          <ChartTable model={model} marks={marks ?? []} height={height} />
        ) : (
          <>
            <Legend model={model} hidden={hidden} onToggle={toggle} />
            <ChartCanvas model={drawn} marks={marks} height={height} />
          </>
        )}
        {note !== undefined && <figcaption className="px-1 pt-1 text-xs text-ink-faint">{note}</figcaption>}
      </figure>
    </Card>
  );
}

/** The chart without the series that were switched off; the others keep their colours. */
function withoutSeries(model: ChartModel, hidden: readonly string[]): ChartModel {
  if (model.kind === 'scatter' || hidden.length === 0) return model;
  const colored = model.series.map((series, index) => ({ ...series, color: series.color ?? index + 1 }));
  return { ...model, series: colored.filter(({ name }) => !hidden.includes(name)) };
}

interface LegendProps {
  model: ChartModel;
  hidden: readonly string[];
  onToggle(name: string): void;
}

/** The colours of the series, if there is more than one. A click hides a series, or shows it again. */
function Legend({ model, hidden, onToggle }: LegendProps): ReactNode {
  if (model.kind === 'scatter' || model.series.length < 2) return null;
  return (
    <ul aria-label="Series" className="flex flex-wrap gap-x-3 gap-y-0.5 px-1 pb-1 text-2xs text-ink-soft">
      {model.series.map(({ name, color }, index) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-pressed={!hidden.includes(name)}
            onClick={() => onToggle(name)}
            className={classNames(
              'flex max-w-full items-center gap-1.5 hover:text-ink',
              hidden.includes(name) && 'line-through opacity-60',
            )}
          >
            <span className="size-2 shrink-0 rounded-sm" style={{ backgroundColor: seriesColor(color, index) }} aria-hidden />
            <VisibleLine text={name} className="max-w-48" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function seriesColor(color: Series['color'], index: number): string {
  if (color === 'ink') return 'var(--ink)';
  return color === 'bad' ? 'var(--bad)' : `var(--series-${color ?? index + 1})`;
}
