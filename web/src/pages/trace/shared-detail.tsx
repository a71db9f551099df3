import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { OutlineSpan } from '../../api/parts.ts';
import type { SharedOutline } from '../../api/shares.ts';
import { FailedSpans } from '../../content/error-box.tsx';
import { FindQuery } from '../../content/find-query.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { CopiedId } from './copied-id.tsx';
import { Facts } from './facts.tsx';
import { FindBar } from './find-bar.tsx';
import { Scrolling, SpanContent, SpanHeader } from './span-content.tsx';
import { SpanSummary } from './span-summary.tsx';
import { lazyToolLinks } from './tool-links.ts';
import { TakenFrom } from './trace-overview.tsx';
import { useFind } from './use-find.ts';

const notShown = 'This link does not show inputs and outputs.';

interface SharedSpanDetailProps {
  outline: SharedOutline;
  span: OutlineSpan;
  onSelect(spanId: string | null): void;
}

/** One span of a shared trace. */
export function SharedSpanDetail({ outline: { spans, hasPayloads }, span, onSelect }: SharedSpanDetailProps): ReactNode {
  const contents = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const query = useDeferredValue(text).trim().toLowerCase();
  const find = useFind(contents, query);
  const links = useMemo(() => lazyToolLinks(spans), [spans]);
  const toOutput = () => contents.current?.querySelector('[aria-label=Output]')?.scrollIntoView({ block: 'start' });
  const close = () => onSelect(null);
  usePageKeys({ Escape: close, o: toOutput });
  return (
    <section aria-label="Span" className="flex h-full min-h-0 flex-col">
      <SpanHeader span={span} onClose={close} />
      <SpanSummary span={span} />
      <Tabs<'content'>
        label="Span views"
        className="flex-1"
        value="content"
        onValue={() => undefined}
        aside={<FindBar {...{ text, find }} onText={setText} onOutput={toOutput} />}
        tabs={[
          {
            value: 'content',
            label: 'Content',
            content: (
              <Scrolling inner={contents}>
                <FindQuery value={query}>
                  <SpanContent
                    {...{ span, links, onSelect }}
                    loaded={{ span, spans, error: null, retry: () => undefined }}
                    {...(hasPayloads ? {} : { none: notShown })}
                  />
                </FindQuery>
              </Scrolling>
            ),
          },
        ]}
      />
    </section>
  );
}

const noPrevious = { previous: null };

/** The shared trace itself. */
export function SharedOverview({ outline, onSelect }: Pick<SharedSpanDetailProps, 'outline' | 'onSelect'>): ReactNode {
  const { trace, spans, hasPayloads } = outline;
  const { input = null, output = null } = trace;
  const names = (label: string, values: readonly string[]) =>
    values.length === 0 ? null : ([label, <VisibleLine key={label} text={values.join(', ')} />] as [string, ReactNode]);
  return (
    <section aria-label="Trace" className="scroll-thin flex h-full flex-col gap-3 overflow-auto p-3">
      <FailedSpans spans={spans} onSelect={onSelect} />
      <Facts
        facts={[
          names('Models', trace.models),
          names('Agents', trace.agents),
          ['Trace ID', <CopiedId key="t" id={trace.traceId} what="trace ID" />],
        ]}
      />
      {output !== null && <ValueView title="Output" value={output} />}
      <TakenFrom spanId={trace.outputFrom ?? null} {...{ spans, onSelect }} />
      {input !== null && <ValueView title="Input" value={input} history={noPrevious} />}
      <TakenFrom spanId={trace.inputFrom ?? null} {...{ spans, onSelect }} />
      {input === null && output === null && (
        <p className="text-ink-faint">{hasPayloads ? 'No input or output recorded.' : notShown}</p>
      )}
    </section>
  );
}
