import type { ReactNode } from 'react';
import type { FieldSource } from '../../api/parts.ts';
import type { TraceSpan } from '../../api/service.ts';
import { ValueView } from '../../content/value-view.tsx';
import type { FindText } from '../../content/find-text.ts';

/** An attribute to scroll to. */
export interface TargetAttribute extends FindText {
  /** Title of the section that contains it. */
  title: string;
}

const titles: Partial<Record<FieldSource['in'], string>> = { span: 'Attributes', resource: 'Resource', event: 'Events' };

/** The position of a field's source in {@link SpanAttributes}; null if it is not there. */
export function targetAttribute(source: FieldSource): TargetAttribute | null {
  const title = titles[source.in];
  if (title === undefined) return null;
  const key = JSON.stringify(source.key);
  // Includes the indentation, so that members of nested objects do not match.
  return { title, text: source.in === 'event' ? `\n    "name": ${key}` : `\n  ${key}:` };
}

/** The attributes, events and links of a span. */
export function SpanAttributes({ span, target }: { span: TraceSpan; target: TargetAttribute | null }): ReactNode {
  const parts: ReadonlyArray<[title: string, value: unknown]> = [
    ['Attributes', span.attributes],
    ['Metadata', span.metadata],
    ['Resource', span.resourceAttributes],
    ['Instrumentation scope', span.scope],
    ['Events', span.events],
    ['Links', span.links],
  ];
  const present = parts.filter(([, value]) => value !== null && value !== undefined);
  if (present.length === 0) return <p className="text-ink-faint">No attributes recorded.</p>;
  return present.map(([title, value]) => (
    <ValueView key={`${title} ${span.spanId}`} title={title} value={value} find={target?.title === title ? target : null} />
  ));
}
