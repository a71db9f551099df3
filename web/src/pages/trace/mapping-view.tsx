import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { spanMappingQuery } from '../../api/traces.ts';
import type { FieldSource, SpanMapping, TraceSpan } from '../../api/wire.ts';
import { jsonBeginning } from '../../content/json-beginning.ts';
import { Failure, Skeleton } from '../../design/states.tsx';
import { VisibleKey, VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { OriginBadge } from './origin-badge.tsx';

interface MappingViewProps {
  span: TraceSpan;
  /** Opens an attribute or event of the span. */
  onSource(source: FieldSource): void;
  /** Opens another span. */
  onSelect(spanId: string): void;
}

const maxValueLength = 200;
/** Listed sources per field: a conversation may be sent as thousands of numbered attributes. */
const maxSources = 8;

/** The convention and the attributes that each field of the span was taken from. */
export function MappingView({ span, onSource, onSelect }: MappingViewProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(spanMappingQuery(projectId, span.traceId, span.spanId));
  const unused = useMemo(() => (query.data ? unusedAttributes(span, query.data) : []), [span, query.data]);
  if (!query.data) {
    return query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton className="h-40" />;
  }
  return (
    <>
      <p className="text-xs text-ink-faint">
        {span.source === 'otlp'
          ? 'Received over OTLP. Fields are mapped from the stored attributes.'
          : 'Received by the native endpoint, which uses these field names.'}
      </p>
      <table className="w-full table-fixed text-left text-xs" aria-label="Field mapping">
        <thead className="text-ink-faint">
          <tr>
            <th scope="col" className="w-[29%] py-1 pr-2 font-medium">
              Field
            </th>
            <th scope="col" className="w-[26%] py-1 pr-2 font-medium">
              Value
            </th>
            <th scope="col" className="py-1 font-medium">
              Source
            </th>
          </tr>
        </thead>
        <tbody>
          {query.data.fields.map(({ field, value, convention, attributes }) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-2 font-mono font-normal [overflow-wrap:anywhere]">
                <VisibleKey text={field} />
              </th>
              <td className="py-1 pr-2">
                <VisibleLine text={shortText(value)} />
              </td>
              <td className="py-1">
                <OriginBadge origin={convention} />
                {/* A native field has the same name as its source. */}
                {convention !== 'native' && <Sources {...{ attributes, onSource, onSelect }} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unused.length > 0 && (
        <details>
          <summary className="text-xs font-medium text-ink-soft">{countedExactly(unused.length, 'unmapped attribute')}</summary>
          <ul className="mt-1 text-xs">
            {unused.map((source) => (
              <li key={`${source.in} ${source.key}`}>
                <Source source={source} onSource={onSource} onSelect={onSelect} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : jsonBeginning(value, maxValueLength + 1);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

function Sources({ attributes, ...on }: { attributes: readonly FieldSource[] } & Omit<MappingViewProps, 'span'>): ReactNode {
  return (
    <>
      {attributes.slice(0, maxSources).map((source) => (
        <Source key={`${source.in} ${source.key}`} source={source} {...on} />
      ))}
      {attributes.length > maxSources && <span className="text-ink-faint">+{attributes.length - maxSources} more</span>}
    </>
  );
}

const placeLabels: Readonly<Record<FieldSource['in'], string>> = {
  span: '',
  resource: 'resource',
  event: 'event',
  field: 'field',
  ancestor: 'span',
};

function Source({ source, onSource, onSelect }: { source: FieldSource } & Omit<MappingViewProps, 'span'>): ReactNode {
  const place = placeLabels[source.in];
  const name = (
    <>
      {place !== '' && <span className="font-sans text-ink-faint">{place} </span>}
      <VisibleKey text={source.key} />
    </>
  );
  const className = 'block max-w-full text-left font-mono [overflow-wrap:anywhere]';
  // A field of the span is not an attribute and has no link.
  if (source.in === 'field') return <span className={className}>{name}</span>;
  const go = () => (source.in === 'ancestor' ? onSelect(source.key) : onSource(source));
  return (
    <button type="button" onClick={go} className={`${className} text-accent hover:underline`}>
      {name}
    </button>
  );
}

/** Attributes of the span and its resource that no field uses. */
function unusedAttributes(span: TraceSpan, { fields }: SpanMapping): FieldSource[] {
  const used = new Set(fields.flatMap(({ attributes }) => attributes).map((source) => `${source.in} ${source.key}`));
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
  const all: FieldSource[] = [
    ...keys(span.attributes).map((key): FieldSource => ({ in: 'span', key })),
    ...keys(span.resourceAttributes).map((key): FieldSource => ({ in: 'resource', key })),
  ];
  return all.filter((source) => !used.has(`${source.in} ${source.key}`));
}
