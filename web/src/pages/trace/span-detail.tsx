import { useDeferredValue, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldSource, OutlineSpan } from '../../api/parts.ts';
import type { Score } from '../../api/service.ts';
import { FindQuery } from '../../content/find-query.ts';
import { JsonView } from '../../content/json-view.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Annotate } from './annotate.tsx';
import { FindBar } from './find-bar.tsx';
import { MappingView } from './mapping-view.tsx';
import type { SpanView } from './search.ts';
import { targetAttribute, SpanAttributes } from './span-attributes.tsx';
import type { TargetAttribute } from './span-attributes.tsx';
import { Loaded, Scrolling, SpanContent, SpanHeader } from './span-content.tsx';
import { SpanSummary } from './span-summary.tsx';
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
      <SpanHeader span={span} onClose={onClose} />
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
                  <SpanContent {...{ span, loaded, links, onSelect }}>
                    <Annotate key={span.spanId} traceId={span.traceId} spanId={span.spanId} scores={scores} />
                  </SpanContent>
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
