import { X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldSource, OutlineSpan, Score, TraceSpan } from '../../api/wire.ts';
import { JsonView } from '../../content/json-view.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { ErrorBox } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { GuardrailCheck } from './guardrail-check.tsx';
import { readGuardrailOutput } from './guardrail-output.ts';
import { kindColor } from './kinds.ts';
import { MappingView } from './mapping-view.tsx';
import type { SpanView } from './search.ts';
import { targetAttribute, SpanAttributes } from './span-attributes.tsx';
import type { TargetAttribute } from './span-attributes.tsx';
import { SpanFacts } from './span-facts.tsx';
import { RequestedBy, SpanTools } from './span-tools.tsx';
import type { ToolLinks } from './tool-links.ts';
import type { LoadedSpan } from './use-payloads.ts';

interface SpanDetailProps {
  span: OutlineSpan;
  /** The span with its payloads, and the other spans. */
  loaded: LoadedSpan;
  links(this: void): ToolLinks;
  scores: readonly Score[];
  view: SpanView;
  onView(view: SpanView): void;
  onSelect(spanId: string): void;
  onClose(): void;
}

/** The details of one span. */
export function SpanDetail({ span, loaded, links, scores, view, onView, onSelect, onClose }: SpanDetailProps): ReactNode {
  const [target, setTarget] = useState<TargetAttribute | null>(null);
  usePageKeys({ Escape: onClose });
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
                <Content {...{ span, loaded, links, scores, onSelect }} />
              </Scrolling>
            ),
          },
          {
            value: 'attributes',
            label: 'Attributes',
            content: (
              <Scrolling>
                <Loaded {...loaded}>{(whole) => <SpanAttributes span={whole} target={target} />}</Loaded>
              </Scrolling>
            ),
          },
          {
            value: 'mapping',
            label: 'Mapping',
            content: (
              <Scrolling>
                <Loaded {...loaded}>{(whole) => <MappingView span={whole} onSource={goTo} onSelect={onSelect} />}</Loaded>
              </Scrolling>
            ),
          },
          {
            value: 'raw',
            label: 'Raw',
            content: (
              <Scrolling>
                <Loaded {...loaded}>{(whole) => <JsonView label="Span as returned by the API" value={whole} />}</Loaded>
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

/** The content of a loaded span. */
function Loaded({ span, error, retry, children }: LoadedSpan & { children(span: TraceSpan): ReactNode }): ReactNode {
  if (span) return children(span);
  return error ? <Failure error={error} what="Span" onRetry={retry} /> : <Skeleton className="h-24" />;
}

function Content({
  span,
  loaded,
  links: linksOf,
  scores,
  onSelect,
}: Omit<SpanDetailProps, 'view' | 'onView' | 'onClose'>): ReactNode {
  // Only these kinds request or execute tool calls.
  const links = span.kind === 'llm' || span.kind === 'tool' ? linksOf() : null;
  const call = links?.askedBy.get(span.spanId);
  const payload = (whole: TraceSpan, name: 'input' | 'output', title: string) => {
    if (whole[name] === null) return null;
    const view = <ValueView key={`${name} ${span.spanId}`} title={title} value={whole[name]} />;
    if (links === null) return view;
    return (
      <SpanTools {...{ links, onSelect }} span={whole} spans={loaded.spans} payload={name}>
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
      {span.inputPreview === null && span.outputPreview === null ? (
        <p className="text-ink-faint">No input or output recorded.</p>
      ) : (
        <Loaded {...loaded}>
          {(whole) => (
            <>
              <Check span={whole} />
              {payload(whole, 'input', 'Input')}
              {payload(whole, 'output', 'Output')}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

/** What guardrails found, if the span is a check of them. */
function Check({ span: { kind, output } }: { span: TraceSpan }): ReactNode {
  const check = kind === 'guardrail' ? readGuardrailOutput(output) : null;
  return check && <GuardrailCheck check={check} />;
}
