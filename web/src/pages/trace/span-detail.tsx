import { X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldSource, Score, TraceSpan } from '../../api/wire.ts';
import { JsonView, ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { ErrorBox } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { kindColor } from './kinds.ts';
import { MappingView } from './mapping-view.tsx';
import type { SpanView } from './search.ts';
import { soughtAttribute, SpanAttributes } from './span-attributes.tsx';
import type { SoughtAttribute } from './span-attributes.tsx';
import { SpanFacts } from './span-facts.tsx';
import { AskedBy, SpanTools } from './span-tools.tsx';
import type { ToolLinks } from './tool-links.ts';

interface SpanDetailProps {
  span: TraceSpan;
  /** All of the trace. */
  spans: readonly TraceSpan[];
  links(this: void): ToolLinks;
  scores: readonly Score[];
  view: SpanView;
  onView(view: SpanView): void;
  onSelect(spanId: string): void;
  onClose(): void;
}

/** Everything about one span: its error on top. */
export function SpanDetail({ span, spans, links, scores, view, onView, onSelect, onClose }: SpanDetailProps): ReactNode {
  const [sought, setSought] = useState<SoughtAttribute | null>(null);
  const show = (next: SpanView) => {
    setSought(null);
    onView(next);
  };
  const goTo = (source: FieldSource) => {
    setSought(soughtAttribute(source));
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
        <IconButton label="Close the span" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <Tabs<SpanView>
        label="Views of the span"
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
                <SpanAttributes span={span} sought={sought} />
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
                <JsonView label="The span as the service answers it" value={span} />
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
  // Nothing else asks for tools or is run by calls.
  const links = span.kind === 'llm' || span.kind === 'tool' ? linksOf() : null;
  const asked = links?.askedBy.get(span.spanId);
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
      {asked && <AskedBy asked={asked} onSelect={onSelect} />}
      <Annotate key={span.spanId} traceId={span.traceId} spanId={span.spanId} scores={scores} />
      {payload('input', 'Input')}
      {payload('output', 'Output')}
      {span.input === null && span.output === null && <p className="text-ink-faint">It was sent without input and output.</p>}
    </>
  );
}
