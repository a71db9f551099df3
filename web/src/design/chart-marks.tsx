import { Toolbar } from 'radix-ui';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';
import type { ChartMark, MarkedEvent } from './chart-model.ts';
import { marksHeight } from './chart-parts.ts';
import { clusterMarks } from './mark-clusters.ts';
import type { MarkCluster } from './mark-clusters.ts';
import { Menu, MenuItem } from './menu.tsx';
import { Tooltip } from './tooltip.tsx';
import { VisibleLine } from './visible.tsx';

/** Where a drawn chart has its categories, pixels. */
export interface Places {
  categories: readonly number[];
  bottom: number;
}

const buttonWidth = 24;
/** A tooltip names at most so many events. */
const maxNamed = 6;

/**
 * Marks over a drawn chart: a line at the place of each, and a button above. A button of several events opens a menu. One tab stop: arrow
 * keys move between the buttons.
 */
export function ChartMarks({ marks, places }: { marks: readonly ChartMark[]; places: Places }): ReactNode {
  const clusters = useMemo(
    () => clusterMarks(marks, (category) => places.categories[category] ?? 0, buttonWidth),
    [marks, places.categories],
  );
  if (clusters.length === 0) return null;
  return (
    <>
      {clusters.flatMap(({ lines }) =>
        lines.map((x) => (
          <span
            key={x}
            aria-hidden
            className="pointer-events-none absolute border-l border-dashed border-ink-faint/70"
            style={{ left: x, top: marksHeight - 5, height: Math.max(0, places.bottom - marksHeight + 5) }}
          />
        )),
      )}
      <Toolbar.Root aria-label="Changes" className="absolute inset-x-0 top-0" style={{ height: marksHeight }}>
        {clusters.map((cluster) => (
          <span
            key={cluster.events[0]?.id}
            className="absolute top-0"
            style={{ left: cluster.x - buttonWidth / 2, width: buttonWidth, height: marksHeight }}
          >
            <MarkButton cluster={cluster} />
          </span>
        ))}
      </Toolbar.Root>
    </>
  );
}

const buttonLook =
  'flex size-full items-center justify-center rounded text-ink-soft hover:bg-hover hover:text-accent data-[state=open]:text-accent';

function MarkButton({ cluster: { events } }: { cluster: MarkCluster }): ReactNode {
  const [first] = events;
  if (events.length === 1 && first) {
    return (
      <Tooltip text={nameOf(first)}>
        <Toolbar.Button className={buttonLook} aria-label={nameOf(first)} onClick={first.open}>
          <span aria-hidden className="border-x-5 border-t-7 border-x-transparent border-t-current" />
        </Toolbar.Button>
      </Tooltip>
    );
  }
  const named = events.slice(0, maxNamed).map(nameOf);
  const more = events.length > maxNamed ? [`and ${events.length - maxNamed} more`] : [];
  return (
    <Menu
      trigger={
        <Toolbar.Button className={buttonLook} aria-label={`${events.length} events`} title={[...named, ...more].join('\n')}>
          <span aria-hidden className="rounded-full bg-ink-soft px-1.5 text-2xs leading-4 font-semibold text-surface">
            {events.length}
          </span>
        </Toolbar.Button>
      }
    >
      {events.map((event) => (
        <MenuItem key={event.id} onSelect={event.open}>
          <MarkedName event={event} />
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The name of an event with its time. */
export function MarkedName({ event: { name, when } }: { event: MarkedEvent }): ReactNode {
  return (
    <span className="flex max-w-80 min-w-0 flex-1 items-baseline justify-between gap-3">
      <VisibleLine text={name} />
      <span className="shrink-0 text-xs text-ink-faint">{when}</span>
    </span>
  );
}

const nameOf = ({ name, when }: MarkedEvent) => `${visibleText(name)} · ${when}`;
