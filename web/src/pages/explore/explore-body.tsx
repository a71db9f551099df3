import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import type { Column } from '../../design/column.ts';
import { deferred } from '../../design/deferred.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { useMedia, wideWindow } from '../../design/use-media.ts';
import { BulkBar } from './bulk-bar.tsx';
import { columnTexts } from './column-choice.ts';
import { ExploreToolbar } from './explore-toolbar.tsx';
import { facetsLabel, FacetPanel } from './facet-panel.tsx';
import { Histogram } from './histogram.tsx';
import type { Counted } from './over-time.ts';
import type { OverTimeChartsProps } from './over-time-charts.tsx';
import { RecordList } from './record-list.tsx';
import { tickCount } from './ticks.ts';
import { useFacetPanel } from './use-facets.ts';
import { useTicks } from './use-ticks.ts';

// Charts are a library of their own.
const OverTimeCharts = deferred<OverTimeChartsProps>(() => import('./over-time-charts.tsx'));

type ExploreBodyProps<Row extends object> = Omit<ComponentProps<typeof RecordList<Row>>, 'ticking'> & {
  /** All columns, scores aside. */
  available: ReadonlyArray<Column<Row>>;
  /** Undefined while it is not known, and where a search is not counted. */
  counted: Counted | undefined;
  areCountsFailed: boolean;
};

function focusFacets(): void {
  document.querySelector<HTMLElement>(`aside[aria-label="${facetsLabel}"] h3 button`)?.focus();
}

/** A list of spans or traces with its toolbar, its facets, its number over time, and the panel of a row. */
export function ExploreBody<Row extends object>(props: ExploreBodyProps<Row>): ReactNode {
  const { available, counted, areCountsFailed, ...list } = props;
  const { explore, rows, keyOf, chosen, usual, request, label, noun } = list;
  const { search, subject, on, change } = explore;
  const { TracePeek } = useRouter().options.context;
  const isWide = useMedia(wideWindow);
  const panel = useFacetPanel();
  const isPeeking = search.peek !== undefined;
  // Beside the panel of a row there is no room for the facets.
  const areFacetsShown = isWide ? panel.isOpen && !isPeeking : panel.isDrawerOpen;
  usePageKeys({
    f: () => {
      if (isWide) panel.setOpen(true);
      else panel.setDrawerOpen(true);
      if (isPeeking) change({ peek: undefined, span: undefined });
      // Once it is there.
      requestAnimationFrame(() => requestAnimationFrame(focusFacets));
    },
  });
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  const ticking = useTicks(keys, request);
  const total = counted?.count ?? null;
  const isChart = search.chart === '1';
  return (
    <>
      <ExploreToolbar
        explore={explore}
        facets={{ isShown: areFacetsShown, onToggle: () => (isWide ? panel.setOpen(!panel.isOpen) : panel.setDrawerOpen(true)) }}
        columns={{
          on,
          available,
          chosen,
          hasScores: subject === 'spans',
          onChoose: (next) => change({ columns: columnTexts(next, usual) }),
          onReset: () => change({ columns: undefined }),
        }}
      />
      <div className="flex min-h-0 flex-1">
        {areFacetsShown && <FacetPanel explore={explore} {...(isWide ? {} : { onClose: () => panel.setDrawerOpen(false) })} />}
        <div className="flex min-w-0 flex-1 flex-col">
          {isChart ? (
            <OverTimeCharts {...{ explore, counted, areCountsFailed }} />
          ) : (
            <>
              {search.q === undefined && !explore.isUnreadable && (
                <Histogram
                  label={`${label} over time`}
                  counted={counted}
                  failed={areCountsFailed}
                  onRange={(range) => change({ range: undefined, ...range })}
                />
              )}
              <RecordList<Row> {...list} ticking={ticking} />
              <BulkBar {...{ explore, ticking, noun }} count={tickCount(ticking.ticks, total)} total={total} />
            </>
          )}
        </div>
        {search.peek !== undefined && (
          <TracePeek
            traceId={search.peek}
            span={search.span}
            q={search.q}
            onSpan={(span) => change({ span })}
            onClose={() => change({ peek: undefined, span: undefined })}
          />
        )}
      </div>
    </>
  );
}
