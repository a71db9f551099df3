import type { ReactNode } from 'react';
import type { FieldSource, TraceSpan } from '../../api/wire.ts';
import { ValueView } from '../../content/value-view.tsx';
import type { FindText } from '../../content/value-view.tsx';

/** An attribute to go to among those of a span. */
export interface SoughtAttribute extends FindText {
  /** Of the part that has it. */
  title: string;
}

const titles: Partial<Record<FieldSource['in'], string>> = { span: 'Attributes', resource: 'Resource', event: 'Events' };

/** Where the source of a field stands in {@link SpanAttributes}; null for what is not there. */
export function soughtAttribute(source: FieldSource): SoughtAttribute | null {
  const title = titles[source.in];
  if (title === undefined) return null;
  const key = JSON.stringify(source.key);
  // With the line's beginning, so that a member of a nested object is not taken for it.
  return { title, text: source.in === 'event' ? `\n    "name": ${key}` : `\n  ${key}:` };
}

/** Everything that came with a span, as it came. */
export function SpanAttributes({ span, sought }: { span: TraceSpan; sought: SoughtAttribute | null }): ReactNode {
  const parts: ReadonlyArray<[title: string, value: unknown]> = [
    ['Attributes', span.attributes],
    ['Metadata', span.metadata],
    ['Resource', span.resourceAttributes],
    ['Instrumentation scope', span.scope],
    ['Events', span.events],
    ['Links', span.links],
  ];
  const there = parts.filter(([, value]) => value !== null && value !== undefined);
  if (there.length === 0) return <p className="text-ink-faint">It was sent without attributes.</p>;
  return there.map(([title, value]) => (
    <ValueView key={`${title} ${span.spanId}`} title={title} value={value} find={sought?.title === title ? sought : null} />
  ));
}
