import { X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldSource, Score, TraceSpan } from '../../api/wire.ts';
import { JsonView } from '../../content/json-view.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { ErrorBox } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { kindColor } from './kinds.ts';
import { MappingView } from './mapping-view.tsx';
import type { SpanView } from './search.ts';
import { targetAttribute, SpanAttributes } from './span-attributes.tsx';
import type { TargetAttribute } from './span-attributes.tsx';
import { SpanFacts } from './span-facts.tsx';
import { RequestedBy, SpanTools } from './span-tools.tsx';
import type { ToolLinks } from './tool-links.ts';

interface SpanDetailProps {
  span: TraceSpan;
  /** All spans of the trace. */
  spans: readonly TraceSpan[];
  links(this: void): ToolLinks;
  scores: readonly Score[];
  view: SpanView;
  onView(view: SpanView): void;
  onSelect(spanId: string): void;
  onClose(): void;
}

/** The details of one span. */
export function SpanDetail({ span, spans, links, scores, view, onView, onSelect, onClose }: SpanDetailProps): ReactNode {
  const [target, setTarget] = useState<TargetAttribute | null>(null);
  const show = (next: SpanView) => {
    setTarget(null);
    onView(next);
  };
  const goTo = (source: FieldSource) => {
    setTarget(targetAttribute(source));
    onView('attributes');
  };
  return (
    <section aria-label="Span" className="flex h-full min-h-0 flex-col">
      <header className="flex items-center gap-2 border-b border-line px-3 py-1.5">
        <span className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: kindColor(span.kind) }} aria-hidden />
        <h2 className="min-w-0 flex-1 font-semibold">
          <VisibleLine text={span.name} />
        </h2>
        <Badge>{span.kind}</Badge>
        <IconButton label="Close span" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <Tabs<SpanView>
        label="Span views"
        className="flex-1"
        value={view}
        onValue={show}
        tabs={[
          {
            value: 'content',
            label: 'Content',
            content: (
              <Scrolling>
                <Content {...{ span, spans, links, scores, onSelect }} />
              </Scrolling>
            ),
          },
          {
            value: 'attributes',
            label: 'Attributes',
            content: (
              <Scrolling>
                <SpanAttributes span={span} target={target} />
              </Scrolling>
            ),
          },
          {
            value: 'mapping',
            label: 'Mapping',
            content: (
              <Scrolling>
                <MappingView span={span} onSource={goTo} onSelect={onSelect} />
              </Scrolling>
            ),
          },
          {
            value: 'raw',
            label: 'Raw',
            content: (
              <Scrolling>
                <JsonView label="Span as returned by the API" value={span} />
              </Scrolling>
            ),
          },
        ]}
      />
    </section>
  );
}

function Scrolling({ children }: { children: ReactNode }): ReactNode {
  return <div className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">{children}</div>;
}

function Content({
  span,
  spans,
  links: linksOf,
  scores,
  onSelect,
}: Omit<SpanDetailProps, 'view' | 'onView' | 'onClose'>): ReactNode {
  // Only these kinds request or execute tool calls.
  const links = span.kind === 'llm' || span.kind === 'tool' ? linksOf() : null;
  const call = links?.askedBy.get(span.spanId);
  const payload = (name: 'input' | 'output', title: string) => {
    if (span[name] === null) return null;
    const view = <ValueView key={`${name} ${span.spanId}`} title={title} value={span[name]} />;
    if (links === null) return view;
    return (
      <SpanTools {...{ spans, span, links, onSelect }} payload={name}>
        {view}
      </SpanTools>
    );
  };
  return (
    <>
      <ErrorBox span={span} />
      <SpanFacts span={span} />
      {call && <RequestedBy asked={call} onSelect={onSelect} />}
      <Annotate key={span.spanId} traceId={span.traceId} spanId={span.spanId} scores={scores} />
      {payload('input', 'Input')}
      {payload('output', 'Output')}
      {span.input === null && span.output === null && <p className="text-ink-faint">No input or output recorded.</p>}
    </>
  );
}
