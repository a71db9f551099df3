import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldSource } from '../../api/parts.ts';
import type { SpanMapping, TraceSpan } from '../../api/service.ts';
import { JsonView } from '../../content/json-view.tsx';
import { MappingTable } from '../../content/mapping-table.tsx';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Segments } from '../../design/segments.tsx';
import { VisibleLine } from '../../design/visible.tsx';

interface InspectedSpanProps {
  span: TraceSpan;
  fields: SpanMapping['fields'];
  unmapped: readonly FieldSource[];
}

type View = 'fields' | 'stored';
const views: ReadonlyArray<{ value: View; label: string }> = [
  { value: 'fields', label: 'Fields' },
  { value: 'stored', label: 'Stored span' },
];

/** One span: the source of each field, or the span as it is stored. */
export function InspectedSpan({ span, fields, unmapped }: InspectedSpanProps): ReactNode {
  const [view, setView] = useState<View>('fields');
  return (
    <Card
      title={
        <span className="flex min-w-0 items-center gap-2">
          <VisibleLine text={span.name} />
          <Badge>{span.kind}</Badge>
        </span>
      }
      aside={<Segments<View> label="Show" value={view} options={views} onValue={setView} />}
    >
      <div className="flex flex-col gap-3 p-3">
        {view === 'fields' ? (
          <MappingTable fields={fields} unmapped={unmapped} opened />
        ) : (
          <JsonView label="Span as stored" value={span} />
        )}
      </div>
    </Card>
  );
}
