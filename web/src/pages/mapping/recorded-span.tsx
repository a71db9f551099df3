import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { newestTracesQuery, spanMappingQuery, spansQuery, traceOutlineQuery } from '../../api/traces.ts';
import { unmappedAttributes } from '../../content/mapping-table.tsx';
import { Card } from '../../design/card.tsx';
import { Select } from '../../design/field.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { formatMoment } from '../../format/time-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { InspectedSpan } from './inspected-span.tsx';
import type { MappingSearch } from './search.ts';
import { SpanChoice } from './span-choice.tsx';

interface RecordedSpanProps {
  search: MappingSearch;
  onSearch(search: MappingSearch): void;
}

const maxTraces = 50;

/** A choice of a recorded span, and the source of each of its fields. */
export function RecordedSpan({ search: { trace, span }, onSearch }: RecordedSpanProps): ReactNode {
  const { at, projectId } = useProject();
  const traces = useQuery(newestTracesQuery(projectId, { simulated: 'false' }, maxTraces));
  const outline = useQuery({ ...traceOutlineQuery(projectId, trace ?? ''), enabled: trace !== undefined });
  const spans = outline.data?.spans ?? [];
  if (traces.error) return <Failure error={traces.error} onRetry={() => void traces.refetch()} />;
  if (!traces.data) return <Skeleton className="h-24" />;
  const listed = traces.data.traces.map(({ traceId, name, startTime }) => ({
    value: traceId,
    label: `${visibleText(name ?? traceId).slice(0, 80)}, ${formatMoment(startTime)}`,
  }));
  const unlisted = trace === undefined ? [{ value: '', label: 'Select a trace' }] : [{ value: trace, label: visibleText(trace) }];
  const chosen = spans.findIndex(({ spanId }) => spanId === span);
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <Card>
        <div className="grid gap-3 p-3 sm:grid-cols-2">
          <Select
            label="Trace"
            value={trace ?? ''}
            options={listed.some(({ value }) => value === trace) ? listed : [...unlisted, ...listed]}
            onValue={(traceId) => onSearch({ trace: traceId })}
          />
          {spans.length > 0 && (
            <SpanChoice
              spans={spans}
              value={chosen === -1 ? '' : String(chosen)}
              onValue={(index) => onSearch({ trace, span: spans[Number(index)]?.spanId })}
            />
          )}
          {trace !== undefined && outline.data && (
            <Link {...pages.trace(at, trace)} className="text-accent hover:underline">
              Open trace
            </Link>
          )}
        </div>
      </Card>
      {outline.error ? (
        <Failure error={outline.error} what="Trace" onRetry={() => void outline.refetch()} />
      ) : trace !== undefined && span !== undefined ? (
        <Mapped key={`${trace} ${span}`} traceId={trace} spanId={span} />
      ) : (
        <Card>
          <Empty title="No span selected">Select a trace and one of its spans.</Empty>
        </Card>
      )}
    </div>
  );
}

function Mapped({ traceId, spanId }: { traceId: string; spanId: string }): ReactNode {
  const { projectId } = useProject();
  const mapping = useQuery(spanMappingQuery(projectId, traceId, spanId));
  const payloads = useQuery(spansQuery(projectId, traceId, [spanId], 'mapping'));
  const error = mapping.error ?? payloads.error;
  const span = payloads.data?.spans[0];
  if (error)
    return <Failure error={error} what="Span" onRetry={() => void Promise.all([mapping.refetch(), payloads.refetch()])} />;
  if (!mapping.data || !span) return <Skeleton className="h-40" />;
  return <InspectedSpan span={span} fields={mapping.data.fields} unmapped={unmappedAttributes(span, mapping.data)} />;
}
