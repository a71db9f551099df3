import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { promptMetricsQuery } from '../../api/prompts.ts';
import type { PromptMetrics } from '../../api/service.ts';
import { versionMarks } from '../../content/change-marks.ts';
import { Card } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Absent, Count, Duration, Score, Share, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { useNow } from '../../frame/use-now.ts';
import { useRangeChanges } from '../../frame/use-range-changes.ts';
import { linkRange, rangeRequest } from '../../range.ts';
import { LabelBadges } from './label-badge.tsx';
import { chartedVersions, metricsCharts } from './metrics-charts.ts';
import type { PromptSearch } from './search.ts';
import type { Versions } from '../../api/prompt-versions.ts';

interface MetricsViewProps {
  name: string;
  versions: Versions;
  search: PromptSearch;
}

/** Metrics by version in the time range. */
export function MetricsView({ name, versions, search }: MetricsViewProps): ReactNode {
  const { at, projectId } = useProject();
  const nowMs = useNow(search);
  const query = useQuery(promptMetricsQuery(projectId, name, rangeRequest(search, nowMs)));
  const range = useMemo(() => linkRange(search), [search]);
  const { changes, open } = useRangeChanges(range, nowMs);
  const charts = useMemo(() => metricsCharts(query.data?.versions ?? []), [query.data]);
  const marks = useMemo(() => {
    const shown = chartedVersions(query.data?.versions ?? []).map(({ version }) => version);
    return versionMarks(changes, name, shown, open);
  }, [query.data, changes, open, name]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) {
    return (
      <div className="p-4">
        <PageSkeleton />
      </div>
    );
  }
  if (query.data.versions.length === 0) return <NoCalls name={name} version={versions.newest?.version ?? 1} />;
  return (
    <div className="flex flex-col gap-3 p-4">
      <Card title="By version">
        <PlainTable
          label="Metrics by version"
          head={[
            'Version',
            'Calls',
            'Cost',
            'Cost per call',
            'Mean latency',
            'Error rate',
            'Mean score',
            'Evaluations',
            'Traces',
          ]}
          rows={query.data.versions.map((figures) => ({
            key: String(figures.version),
            cells: [
              <VersionCell key="v" name={name} version={figures.version} versions={versions} search={search} />,
              ...figureCells(figures),
              <Link
                key="t"
                {...pages.traces(at)}
                search={{ ...linkRange(search), promptName: name, promptVersion: String(figures.version) }}
                className="text-accent hover:underline"
                aria-label={`View traces of version ${figures.version}`}
              >
                View
              </Link>,
            ],
          }))}
        />
      </Card>
      <div className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
        {charts.map((chart) => (
          <Chart key={chart.title} model={chart} marks={marks} height={180} />
        ))}
      </div>
      <p className="min-h-5 text-xs text-ink-faint">{marks.length > 0 && '▾ A label moved to this version.'}</p>
    </div>
  );
}

function figureCells(figures: PromptMetrics['versions'][number]): ReactNode[] {
  const { calls, costUsd, unpricedCalls, partlyPricedCalls, avgLatencyMs, errorRate, avgScore, evalCount } = figures;
  const none = <Absent why="No calls in this time range" />;
  return [
    <Count key="c" value={calls} />,
    <Usd key="u" value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />,
    calls === 0 ? none : <Usd key="p" value={costUsd / calls} />,
    calls === 0 ? none : <Duration key="l" ms={avgLatencyMs} />,
    calls === 0 ? (
      none
    ) : (
      <span key="r" className={errorRate >= 0.05 ? 'text-bad' : ''}>
        <Share value={errorRate} />
      </span>
    ),
    avgScore === null ? <Absent key="s" why="No evaluations" /> : <Score key="s" value={avgScore} />,
    <Count key="e" value={evalCount} />,
  ];
}

interface VersionCellProps extends MetricsViewProps {
  version: number;
}

/** The version as a link; plain text if spans name a version that does not exist. */
function VersionCell({ name, version, versions, search }: VersionCellProps): ReactNode {
  const { at } = useProject();
  if (version > (versions.newest?.version ?? 0)) {
    return (
      <span className="text-ink-faint" title="Reported by spans, but not stored in this project">
        Version {version}
      </span>
    );
  }
  const labels = versions.loaded.find((one) => one.version === version)?.labels ?? [];
  const { range, from, to } = search;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
      <Link
        {...pages.prompt(at, name)}
        search={{ range, from, to, version }}
        className="font-medium hover:text-accent hover:underline"
      >
        Version {version}
      </Link>
      <LabelBadges labels={labels} />
    </span>
  );
}

function NoCalls({ name, version }: { name: string; version: number }): ReactNode {
  return (
    <div>
      <Empty title="No calls with this prompt in this time range">
        Choose a longer time range, or set the prompt name and version on spans.
      </Empty>
      <div className="mx-auto max-w-xl px-6 pb-8">
        <Snippet
          label="Span fields for this prompt"
          text={JSON.stringify({ promptName: name, promptVersion: version }, null, 2)}
        />
      </div>
    </div>
  );
}
