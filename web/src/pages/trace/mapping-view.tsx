import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { spanMappingQuery } from '../../api/traces.ts';
import type { FieldSource } from '../../api/parts.ts';
import type { TraceSpan } from '../../api/service.ts';
import { MappingTable, unmappedAttributes } from '../../content/mapping-table.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

interface MappingViewProps {
  span: TraceSpan;
  /** Opens an attribute or event of the span. */
  onSource(source: FieldSource): void;
  /** Opens another span. */
  onSelect(spanId: string): void;
}

/** The convention and the attributes that each field of the span was taken from. */
export function MappingView({ span, onSource, onSelect }: MappingViewProps): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(spanMappingQuery(projectId, span.traceId, span.spanId));
  const unmapped = useMemo(() => (query.data ? unmappedAttributes(span, query.data) : []), [span, query.data]);
  if (!query.data) {
    return query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton className="h-40" />;
  }
  return (
    <>
      <p className="text-xs text-ink-faint">
        {span.source === 'otlp'
          ? 'Received over OTLP. Fields are mapped from the stored attributes.'
          : 'Received by the native endpoint, which uses these field names.'}{' '}
        <Link {...pages.mappingInspector(at)} className="text-accent underline">
          Try a body in the mapping inspector
        </Link>
      </p>
      <MappingTable fields={query.data.fields} unmapped={unmapped} onSource={onSource} onSelect={onSelect} />
    </>
  );
}
