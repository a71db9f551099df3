import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { spanMappingQuery } from '../../api/traces.ts';
import type { FieldSource, SpanMapping, TraceSpan } from '../../api/wire.ts';
import { jsonBeginning } from '../../content/json-beginning.ts';
import { Failure, Skeleton } from '../../design/states.tsx';
import { VisibleKey, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { OriginBadge } from './origin-badge.tsx';

interface MappingViewProps {
  span: TraceSpan;
  /** Goes to an attribute or an event among those of the span. */
  onSource(source: FieldSource): void;
  /** Opens another span. */
  onSelect(spanId: string): void;
}

const longestValue = 200;
/** Sources of one field that are listed: a conversation may come as thousands of numbered attributes. */
const mostSources = 8;

/** Which convention filled which field of the span, from which attribute. */
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
          ? 'Sent over OpenTelemetry. The conventions that read it when it arrived read its attributes once more, as they are stored.'
          : 'Sent to the native endpoint, which takes fields as they are named here.'}
      </p>
      <table className="w-full table-fixed text-left text-xs" aria-label="What filled the fields">
        <thead className="text-ink-faint">
          <tr>
            <th scope="col" className="w-[29%] py-1 pr-2 font-medium">
              Field
            </th>
            <th scope="col" className="w-[26%] py-1 pr-2 font-medium">
              Value
            </th>
            <th scope="col" className="py-1 font-medium">
              Filled by
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
                {/* What was sent under its own name needs no second mention. */}
                {convention !== 'native' && <Sources {...{ attributes, onSource, onSelect }} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unused.length > 0 && (
        <details>
          <summary className="text-xs font-medium text-ink-soft">
            {unused.length === 1 ? '1 attribute fills no field' : `${unused.length} attributes fill no field`}
          </summary>
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
  const text = typeof value === 'string' ? value : value === undefined ? '' : jsonBeginning(value, longestValue + 1);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function Sources({ attributes, ...on }: { attributes: readonly FieldSource[] } & Omit<MappingViewProps, 'span'>): ReactNode {
  return (
    <>
      {attributes.slice(0, mostSources).map((source) => (
        <Source key={`${source.in} ${source.key}`} source={source} {...on} />
      ))}
      {attributes.length > mostSources && <span className="text-ink-faint">and {attributes.length - mostSources} more</span>}
    </>
  );
}

const placeWords: Readonly<Record<FieldSource['in'], string>> = {
  span: '',
  resource: 'resource',
  event: 'event',
  field: 'field',
  ancestor: 'span',
};

function Source({ source, onSource, onSelect }: { source: FieldSource } & Omit<MappingViewProps, 'span'>): ReactNode {
  const place = placeWords[source.in];
  const name = (
    <>
      {place !== '' && <span className="font-sans text-ink-faint">{place} </span>}
      <VisibleKey text={source.key} />
    </>
  );
  const className = 'block max-w-full text-left font-mono [overflow-wrap:anywhere]';
  // A field of the span itself is in no list of attributes.
  if (source.in === 'field') return <span className={className}>{name}</span>;
  const go = () => (source.in === 'ancestor' ? onSelect(source.key) : onSource(source));
  return (
    <button type="button" onClick={go} className={`${className} text-accent hover:underline`}>
      {name}
    </button>
  );
}

/** Attributes of the span and its resource that no field was taken from. */
function unusedAttributes(span: TraceSpan, { fields }: SpanMapping): FieldSource[] {
  const used = new Set(fields.flatMap(({ attributes }) => attributes).map((source) => `${source.in} ${source.key}`));
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
  const all: FieldSource[] = [
    ...keys(span.attributes).map((key): FieldSource => ({ in: 'span', key })),
    ...keys(span.resourceAttributes).map((key): FieldSource => ({ in: 'resource', key })),
  ];
  return all.filter((source) => !used.has(`${source.in} ${source.key}`));
}
