import { X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Score, TraceSpan } from '../../api/wire.ts';
import { JsonView, ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { ErrorBox } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { kindColor } from './kinds.ts';
import { MappingView } from './mapping-view.tsx';
import { SpanFacts } from './span-facts.tsx';

type View = 'content' | 'attributes' | 'mapping' | 'raw';

interface SpanDetailProps {
  span: TraceSpan;
  scores: readonly Score[];
  onClose(): void;
}

/** Everything about one span: its error on top. */
export function SpanDetail({ span, scores, onClose }: SpanDetailProps): ReactNode {
  const [view, setView] = useState<View>('content');
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
      <Tabs<View>
        label="Views of the span"
        className="flex-1"
        value={view}
        onValue={setView}
        tabs={[
          {
            value: 'content',
            label: 'Content',
            content: (
              <Scrolling>
                <Content span={span} scores={scores} />
              </Scrolling>
            ),
          },
          {
            value: 'attributes',
            label: 'Attributes',
            content: (
              <Scrolling>
                <Attributes span={span} />
              </Scrolling>
            ),
          },
          {
            value: 'mapping',
            label: 'Mapping',
            content: (
              <Scrolling>
                <MappingView span={span} />
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

function Content({ span, scores }: { span: TraceSpan; scores: readonly Score[] }): ReactNode {
  return (
    <>
      <ErrorBox span={span} />
      <SpanFacts span={span} />
      <Annotate key={span.spanId} traceId={span.traceId} spanId={span.spanId} scores={scores} />
      {span.input !== null && <ValueView key={`in ${span.spanId}`} title="Input" value={span.input} />}
      {span.output !== null && <ValueView key={`out ${span.spanId}`} title="Output" value={span.output} />}
      {span.input === null && span.output === null && <p className="text-ink-faint">It was sent without input and output.</p>}
    </>
  );
}

function Attributes({ span }: { span: TraceSpan }): ReactNode {
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
  return there.map(([title, value]) => <ValueView key={`${title} ${span.spanId}`} title={title} value={value} />);
}
