import { useMemo } from 'react';
import type { ReactNode, RefObject } from 'react';
import { X } from 'lucide-react';
import type { OutlineSpan } from '../../api/parts.ts';
import type { TraceSpan } from '../../api/service.ts';
import { ErrorBox } from '../../content/error-box.tsx';
import { kindColor } from '../../content/span-kinds.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { GuardrailCheck } from './guardrail-check.tsx';
import { readGuardrailOutput } from './guardrail-output.ts';
import { previousMessages } from './previous-call.ts';
import { SpanFacts } from './span-facts.tsx';
import { SpanParameters } from './span-parameters.tsx';
import { RequestedBy, SpanTools } from './span-tools.tsx';
import type { ToolLinks } from './tool-links.ts';
import type { LoadedSpan } from './use-payloads.ts';

/** The name and the kind of a span. */
export function SpanHeader({ span, onClose }: { span: OutlineSpan; onClose(): void }): ReactNode {
  return (
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
  );
}

/** Content that scrolls. */
export function Scrolling({ children, inner }: { children: ReactNode; inner?: RefObject<HTMLDivElement | null> }): ReactNode {
  return (
    <div ref={inner} className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      {children}
    </div>
  );
}

/** The content of a loaded span. */
export function Loaded({ span, error, retry, children }: LoadedSpan & { children(span: TraceSpan): ReactNode }): ReactNode {
  if (span) return children(span);
  return error ? <Failure error={error} what="Span" onRetry={retry} /> : <Skeleton className="h-24" />;
}

interface SpanContentProps {
  span: OutlineSpan;
  /** The span with its payloads, and the other spans. */
  loaded: LoadedSpan;
  links(this: void): ToolLinks;
  /** What stands for a span without input and output. */
  none?: string;
  /** Between the contents and the details: the scores of the span. */
  children?: ReactNode;
  onSelect(spanId: string): void;
}

/** The error, input, output and details of a span. */
export function SpanContent(props: SpanContentProps): ReactNode {
  const { span, loaded, links: linksOf, none = 'No input or output recorded.', children, onSelect } = props;
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
        <p className="text-ink-faint">{none}</p>
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
      {children}
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
