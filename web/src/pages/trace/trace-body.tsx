import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { OutlineSpan, WholeOutline } from '../../api/parts.ts';
import type { SpanView } from './search.ts';
import { SpanDetail } from './span-detail.tsx';
import { lazyToolLinks } from './tool-links.ts';
import { TraceLayout } from './trace-layout.tsx';
import { TraceOverview } from './trace-overview.tsx';
import { useSpanPayloads } from './use-payloads.ts';

interface TraceBodyProps {
  detail: WholeOutline;
  /** When the trace was loaded, epoch milliseconds. */
  asOfMs: number;
  selected: string | null;
  /** The view of the selected span. */
  view: SpanView;
  /** Numbers of open comments by span; under null those on the trace. */
  comments: ReadonlyMap<string | null, number>;
  /** A text that is marked in the contents at first; `''`: none. */
  query: string;
  onSelect(spanId: string | null): void;
  onView(spanId: string, view: SpanView): void;
  onEscape(): void;
  /** The tree stands above the detail, as in a panel beside a list; otherwise only in narrow windows. */
  stacked?: boolean;
}

/** The span tree on the left, the selected span or the trace on the right. */
export function TraceBody({ detail, asOfMs, selected, comments, stacked = false, ...props }: TraceBodyProps): ReactNode {
  const { trace, spans } = detail;
  return (
    <TraceLayout
      {...{ spans, asOfMs, selected, comments, stacked }}
      status={trace.status}
      holds="scores, outcomes, input and output"
      onSelect={props.onSelect}
    >
      {(span) => <Detail {...{ detail, span }} {...props} />}
    </TraceLayout>
  );
}

interface DetailProps extends Pick<TraceBodyProps, 'detail' | 'view' | 'query' | 'onSelect' | 'onView' | 'onEscape'> {
  span: OutlineSpan | null;
}

function Detail({ detail, span, view, query, onSelect, onView, onEscape }: DetailProps): ReactNode {
  const loaded = useSpanPayloads(detail, span);
  const links = useMemo(() => lazyToolLinks(loaded.spans), [loaded.spans]);
  const [text, setText] = useState(query);
  if (!span) return <TraceOverview detail={detail} onSelect={onSelect} />;
  return (
    <SpanDetail
      span={span}
      {...{ loaded, links, view, text, onSelect }}
      onText={setText}
      onView={(next) => onView(span.spanId, next)}
      scores={detail.scores.filter(({ spanId }) => spanId === span.spanId)}
      onClose={() => onSelect(null)}
      onEscape={onEscape}
    />
  );
}
