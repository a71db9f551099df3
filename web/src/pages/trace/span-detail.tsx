import { X } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { FieldSource, OutlineSpan } from '../../api/parts.ts';
import type { Score, TraceSpan } from '../../api/service.ts';
import { FindQuery } from '../../content/find-query.ts';
import { JsonView } from '../../content/json-view.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { ErrorBox } from '../../content/error-box.tsx';
import { Annotate } from './annotate.tsx';
import { FindBar } from './find-bar.tsx';
import { GuardrailCheck } from './guardrail-check.tsx';
import { readGuardrailOutput } from './guardrail-output.ts';
import { kindColor } from '../../content/span-kinds.ts';
import { MappingView } from './mapping-view.tsx';
import { previousMessages } from './previous-call.ts';
import type { SpanView } from './search.ts';
import { targetAttribute, SpanAttributes } from './span-attributes.tsx';
import type { TargetAttribute } from './span-attributes.tsx';
import { SpanFacts } from './span-facts.tsx';
import { SpanParameters } from './span-parameters.tsx';
import { SpanSummary } from './span-summary.tsx';
import { RequestedBy, SpanTools } from './span-tools.tsx';
import type { ToolLinks } from './tool-links.ts';
import { useFind } from './use-find.ts';
import type { LoadedSpan } from './use-payloads.ts';

interface SpanDetailProps {
  span: OutlineSpan;
  /** The span with its payloads, and the other spans. */
  loaded: LoadedSpan;
  links(this: void): ToolLinks;
  scores: readonly Score[];
  view: SpanView;
  /** The text that is searched in its contents; `''`: none. */
  text: string;
  onText(text: string): void;
  onView(view: SpanView): void;
  onSelect(spanId: string): void;
  onClose(): void;
  /** The key Escape. */
  onEscape(): void;
}

/** The details of one span. */
export function SpanDetail(props: SpanDetailProps): ReactNode {
  const { span, loaded, links, scores, view, text, onText, onView, onSelect, onClose, onEscape } = props;
  const contents = useRef<HTMLDivElement>(null);
  const query = useDeferredValue(text).trim().toLowerCase();
  const find = useFind(contents, view === 'content' ? query : '');
  const [target, setTarget] = useState<TargetAttribute | null>(null);
  const toOutput = () => contents.current?.querySelector('[aria-label=Output]')?.scrollIntoView({ block: 'start' });
  usePageKeys({ Escape: onEscape, o: toOutput });
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
        <CopyButton label="Copy span ID" text={span.spanId} />
        <IconButton label="Close span" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <SpanSummary span={span} />
      <Tabs<SpanView>
        label="Span views"
        className="flex-1"
        value={view}
        onValue={show}
        {...(view === 'content' ? { aside: <FindBar {...{ text, onText, find }} onOutput={toOutput} /> } : {})}
        tabs={[
          {
            value: 'content',
            label: 'Content',
            content: (
              <Scrolling inner={contents}>
                <FindQuery value={query}>
                  <Content {...{ span, loaded, links, scores, onSelect }} />
                </FindQuery>
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

function Scrolling({ children, inner }: { children: ReactNode; inner?: RefObject<HTMLDivElement | null> }): ReactNode {
  return (
    <div ref={inner} className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      {children}
    </div>
  );
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
}: Pick<SpanDetailProps, 'span' | 'loaded' | 'links' | 'scores' | 'onSelect'>): ReactNode {
  // Only these kinds request or execute tool calls.
  const links = span.kind === 'llm' || span.kind === 'tool' ? linksOf() : null;
  const call = links?.askedBy.get(span.spanId);
  const whole = loaded.span;
  const previous = useMemo(
    () => (whole === null ? null : { previous: previousMessages(loaded.spans, whole) }),
    [loaded.spans, whole],
  );
  const payload = (whole: TraceSpan, name: 'input' | 'output', title: string) => {
    if (whole[name] === null) return null;
    const history = name === 'input' ? previous : null;
    const view = <ValueView key={`${name} ${span.spanId}`} title={title} value={whole[name]} history={history} />;
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
      {call && <RequestedBy asked={call} onSelect={onSelect} />}
      {span.inputPreview === null && span.outputPreview === null ? (
        <p className="text-ink-faint">No input or output recorded.</p>
      ) : (
        <Loaded {...loaded}>
          {(whole) => (
            <>
              <Check span={whole} />
              {payload(whole, 'output', 'Output')}
              {payload(whole, 'input', 'Input')}
              <SpanParameters span={whole} />
            </>
          )}
        </Loaded>
      )}
      <Annotate key={span.spanId} traceId={span.traceId} spanId={span.spanId} scores={scores} />
      <section aria-label="Details" className="flex flex-col gap-1.5">
        <h3 className="text-xs font-semibold text-ink-soft">Details</h3>
        <SpanFacts span={span} />
      </section>
    </>
  );
}

/** What guardrails found, if the span is a check of them. */
function Check({ span: { kind, output } }: { span: TraceSpan }): ReactNode {
  const check = kind === 'guardrail' ? readGuardrailOutput(output) : null;
  return check && <GuardrailCheck check={check} />;
}
