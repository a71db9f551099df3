import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMappingPreview } from '../../api/traces.ts';
import type { MappingPreview } from '../../api/service.ts';
import { Editor } from '../../content/editor-field.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Empty } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { exampleBody } from './example-body.ts';
import { InspectedSpan } from './inspected-span.tsx';
import { SpanChoice } from './span-choice.tsx';

/** An editor for an OTLP JSON body, and what would be stored of it. */
export function PastedBody(): ReactNode {
  const { projectId } = useProject();
  const preview = useMappingPreview(projectId);
  const [start] = useState(() => exampleBody(Date.now()));
  // Not a state: a click right after a key would read the text before it.
  const text = useRef(start);
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card
        title="OTLP JSON body"
        aside={
          <Button look="primary" size="small" busy={preview.isPending} onClick={() => preview.mutate(text.current)}>
            Inspect
          </Button>
        }
      >
        <div className="flex flex-col gap-1 p-3">
          <Editor
            label="OTLP JSON body"
            initial={start}
            onText={(next) => {
              text.current = next;
            }}
            language="json"
            invalid={preview.error !== null}
            tall
          />
          {preview.error && (
            <p role="alert" className="text-xs [overflow-wrap:anywhere] text-bad">
              {preview.error.message}
            </p>
          )}
          <p className="text-xs text-ink-faint">As sent to /v1/traces. Nothing is stored and no quota is used.</p>
        </div>
      </Card>
      {preview.data ? <Result key={preview.submittedAt} preview={preview.data} /> : <Hint />}
    </div>
  );
}

function Hint(): ReactNode {
  return (
    <Card>
      <Empty title="No body inspected">
        Inspect a body to see the stored spans, the attribute behind each field, and the attributes that no field uses.
      </Empty>
    </Card>
  );
}

function Result({ preview: { spans, rejectedSpans, errorMessage, truncated } }: { preview: MappingPreview }): ReactNode {
  const [chosen, setChosen] = useState(0);
  const shown = spans[chosen];
  const element = useRef<HTMLDivElement>(null);
  // In a narrow window the result is below the body.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element} className="flex min-w-0 flex-col gap-3">
      {rejectedSpans > 0 && (
        <p role="alert" className="rounded-lg border border-line bg-bad-soft p-3 text-bad">
          {countedExactly(rejectedSpans, 'span')} rejected. {errorMessage}
        </p>
      )}
      {truncated && (
        <p role="note" className="text-ink-soft">
          The body has more spans than are shown.
        </p>
      )}
      {spans.length > 1 && (
        <SpanChoice spans={spans.map(({ span }) => span)} value={String(chosen)} onValue={(index) => setChosen(Number(index))} />
      )}
      {shown ? (
        <InspectedSpan key={chosen} span={shown.span} fields={shown.mapping.fields} unmapped={shown.unmapped} />
      ) : (
        <Card>
          <Empty title="No span would be stored">
            {rejectedSpans === 0 ? 'There are no spans in resourceSpans → scopeSpans → spans of the body.' : undefined}
          </Empty>
        </Card>
      )}
    </div>
  );
}
