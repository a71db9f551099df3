import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { TraceComparison } from '../../api/service.ts';
import { traceComparisonQuery } from '../../api/traces.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, buttonClass, IconButton } from '../../design/button.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { differenceFrom, pairsOf } from './compared-pairs.ts';
import type { ComparedPair } from './compared-pairs.ts';
import { ComparisonStats } from './comparison-stats.tsx';
import { pairColumns } from './pair-columns.tsx';
import { PairPanel } from './pair-panel.tsx';
import type { ComparisonSearch } from './search.ts';

/** Two traces side by side. */
export default function ComparisonPage(): ReactNode {
  const { at } = useProject();
  const { a, b } = useSearch({ from: '/o/$org/p/$project/trace-comparison' });
  const change = useChange();
  const isWhole = a !== undefined && b !== undefined;
  return (
    <Page
      title="Compare traces"
      fill="wide"
      trail={
        <Link {...pages.traces(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Traces /
        </Link>
      }
      actions={
        isWhole && (
          <IconButton label="Swap traces" onClick={() => change({ a: b, b: a, pair: undefined })}>
            <ArrowLeftRight aria-hidden />
          </IconButton>
        )
      }
    >
      {isWhole ? (
        <Comparison a={a} b={b} />
      ) : (
        <Empty
          title="Choose two traces"
          action={
            <Link {...pages.traces(at)} className={buttonClass()}>
              Open traces
            </Link>
          }
        >
          Open a trace and use <em>Compare with…</em> to choose another one.
        </Empty>
      )}
    </Page>
  );
}

function useChange(): (next: ComparisonSearch) => void {
  const navigate = useNavigate();
  return (next) => void navigate({ to: '.', search: (before: ComparisonSearch) => ({ ...before, ...next }), replace: true });
}

function Comparison({ a, b }: { a: string; b: string }): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(traceComparisonQuery(projectId, a, b));
  if (failureOf(query)) {
    return (
      <Failure
        error={query.error}
        what="Trace"
        back={<BackLink {...pages.traces(at)}>Back to traces</BackLink>}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return query.data ? <Pairs comparison={query.data} /> : <ListSkeleton />;
}

function Pairs({ comparison }: { comparison: TraceComparison }): ReactNode {
  const { pair: openNumber, only } = useSearch({ from: '/o/$org/p/$project/trace-comparison' });
  const change = useChange();
  const pairs = useMemo(() => pairsOf(comparison), [comparison]);
  const differing = useMemo(() => pairs.filter(({ match }) => match !== 'same'), [pairs]);
  const opened = pairs.find(({ number }) => number === openNumber);
  const columns = useMemo(() => pairColumns(opened?.number), [opened]);
  const open = ({ number }: ComparedPair) => change({ pair: number });
  const first = differing[0];
  const { a, b } = comparison;
  return (
    <>
      <div className="flex flex-col gap-3 border-b border-line p-4">
        <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          <Side name="A" trace={a} />
          <Side name="B" trace={b} />
        </div>
        <ComparisonStats comparison={comparison} />
        <div className="flex flex-wrap items-center gap-2">
          <span>
            {differing.length === 0
              ? 'No differences'
              : `${formatExact(differing.length)} of ${countedExactly(pairs.length, 'span')} differ`}
          </span>
          {comparison.truncated && (
            <Badge tone="warn" title="Of each trace the first 2,000 spans are compared.">
              truncated
            </Badge>
          )}
          <span className="flex-1" />
          {first && (
            <Button size="small" repeatable onClick={() => open(first)}>
              First difference
            </Button>
          )}
          {differing.length > 0 && (
            <Button
              size="small"
              repeatable
              pressed={only === 'differences'}
              onClick={() => change({ only: only === undefined ? 'differences' : undefined })}
            >
              Differences only
            </Button>
          )}
        </div>
      </div>
      <div className="flex min-h-0 flex-1">
        <DataTable<ComparedPair>
          label="Pairs of spans"
          columns={columns}
          rows={only === 'differences' ? differing : pairs}
          rowKey={({ number }) => String(number)}
          current={openNumber === undefined ? null : String(openNumber)}
          onOpen={open}
          className="min-h-0 min-w-0 flex-1 bg-surface max-lg:h-[32rem]"
        />
        {opened && (
          <PairPanel
            key={opened.number}
            pair={opened}
            a={a.traceId}
            b={b.traceId}
            next={differenceFrom(pairs, opened.number, 1)}
            previous={differenceFrom(pairs, opened.number, -1)}
            onOpen={open}
            onClose={() => change({ pair: undefined })}
          />
        )}
      </div>
    </>
  );
}

function Side({ name, trace }: { name: 'A' | 'B'; trace: TraceComparison['a'] }): ReactNode {
  const { at } = useProject();
  return (
    <p className="flex min-w-0 items-center gap-2">
      <Badge tone="accent">{name}</Badge>
      <Link {...pages.trace(at, trace.traceId)} className="min-w-0 truncate font-medium hover:text-accent hover:underline">
        <Visible text={trace.name ?? trace.traceId} />
      </Link>
      {trace.status === 'error' && <Badge tone="bad">failed</Badge>}
      <span className="shrink-0 text-ink-faint">
        <Moment iso={trace.startTime} />
      </span>
    </p>
  );
}
