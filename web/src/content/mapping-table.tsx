import type { ReactNode } from 'react';
import type { FieldSource } from '../api/parts.ts';
import type { SpanMapping, TraceSpan } from '../api/service.ts';
import { VisibleKey, VisibleLine } from '../design/visible.tsx';
import { countedExactly } from '../format/number-format.ts';
import { jsonBeginning } from './json-beginning.ts';
import { OriginBadge } from './origin-badge.tsx';

interface MappingTableProps {
  fields: SpanMapping['fields'];
  /** Attributes that no field was read from. */
  unmapped: readonly FieldSource[];
  /** Shows the unmapped attributes at once. */
  opened?: boolean;
  /** Opens an attribute or event of the span; without it they are no links. */
  onSource?: ((source: FieldSource) => void) | undefined;
  /** Opens another span. */
  onSelect?: ((spanId: string) => void) | undefined;
}

const maxValueLength = 200;
/** Listed sources per field: a conversation may be sent as thousands of numbered attributes. */
const maxSources = 8;

/** The convention and the attributes that each field of a span was taken from, and the attributes of which none was. */
export function MappingTable({ fields, unmapped, opened = false, onSource, onSelect }: MappingTableProps): ReactNode {
  const on = { onSource, onSelect };
  return (
    <>
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
          {fields.map(({ field, value, convention, attributes }) => (
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
                {convention !== 'native' && <Sources attributes={attributes} {...on} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unmapped.length > 0 && (
        <details open={opened}>
          <summary className="text-xs font-medium text-ink-soft">{countedExactly(unmapped.length, 'unmapped attribute')}</summary>
          <ul className="mt-1 text-xs">
            {unmapped.map((source) => (
              <li key={`${source.in} ${source.key}`}>
                <Source source={source} {...on} />
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

type Opening = Pick<MappingTableProps, 'onSource' | 'onSelect'>;

function Sources({ attributes, ...on }: { attributes: readonly FieldSource[] } & Opening): ReactNode {
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

function Source({ source, onSource, onSelect }: { source: FieldSource } & Opening): ReactNode {
  const place = placeLabels[source.in];
  const name = (
    <>
      {place !== '' && <span className="font-sans text-ink-faint">{place} </span>}
      <VisibleKey text={source.key} />
    </>
  );
  const className = 'block max-w-full text-left font-mono [overflow-wrap:anywhere]';
  const open = source.in === 'ancestor' ? onSelect && (() => onSelect(source.key)) : onSource && (() => onSource(source));
  // A field of the span is not an attribute and has no link.
  if (source.in === 'field' || open === undefined) return <span className={className}>{name}</span>;
  return (
    <button type="button" onClick={open} className={`${className} text-accent hover:underline`}>
      {name}
    </button>
  );
}

/** Attributes of the span and its resource that no field uses. */
export function unmappedAttributes(
  span: Pick<TraceSpan, 'attributes' | 'resourceAttributes'>,
  { fields }: SpanMapping,
): FieldSource[] {
  const used = new Set(fields.flatMap(({ attributes }) => attributes).map((source) => `${source.in} ${source.key}`));
  const keys = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
  const all: FieldSource[] = [
    ...keys(span.attributes).map((key): FieldSource => ({ in: 'span', key })),
    ...keys(span.resourceAttributes).map((key): FieldSource => ({ in: 'resource', key })),
  ];
  return all.filter((source) => !used.has(`${source.in} ${source.key}`));
}
