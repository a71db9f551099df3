import { Wrench } from 'lucide-react';
import { use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/service.ts';
import { FindQuery, hasText } from '../../content/find-query.ts';
import { InlineJson } from '../../content/json-view.tsx';
import { FoldButton } from '../../design/fold-button.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { jsonLine } from '../../format/deep-json.ts';
import { Facts } from './facts.tsx';
import type { Fact } from './facts.tsx';
import { callParameters } from './parameters.ts';
import type { CallTool } from './parameters.ts';

const isShort = (value: unknown) => typeof value !== 'object' || value === null;
const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** The parameters of a model call and the tools that it offered. Hidden if there are none. */
export function SpanParameters({ span }: { span: TraceSpan }): ReactNode {
  const { values, tools } = useMemo(() => callParameters(span), [span]);
  if (values.length === 0 && tools.length === 0) return null;
  const short = values.filter(([, value]) => isShort(value));
  return (
    <section aria-label="Parameters" className="flex min-w-0 flex-col gap-1.5">
      <h3 className="text-xs font-semibold text-ink-soft">Parameters</h3>
      {short.length > 0 && (
        <Facts facts={short.map(([name, value]): Fact => [labelOf(name), <VisibleLine key={name} text={String(value)} />])} />
      )}
      {values
        .filter(([, value]) => !isShort(value))
        .map(([name, value]) => (
          <Folded key={name} label={labelOf(name)} value={value}>
            <InlineJson label={labelOf(name)} value={value} />
          </Folded>
        ))}
      {tools.length > 0 && (
        <Folded label={`Tools (${tools.length})`} value={tools} aside={tools.map(({ name }) => name).join(', ')}>
          <ul className="flex flex-col gap-2">
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </ul>
        </Folded>
      )}
    </section>
  );
}

interface FoldedProps {
  label: string;
  /** What is shown, for the search. */
  value: unknown;
  aside?: string;
  children: ReactNode;
}

/** Folded until the viewer opens it or searches for a text that is in it. */
function Folded({ label, value, aside, children }: FoldedProps): ReactNode {
  const [opened, setOpen] = useState(false);
  const query = use(FindQuery);
  const isFound = useMemo(() => query !== '' && hasText(jsonLine(value), query), [value, query]);
  const isOpen = opened || isFound;
  return (
    <div className="min-w-0 rounded-md border border-line">
      <FoldButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)} className="h-7 w-full px-1.5 text-xs">
        <span className="shrink-0 font-medium text-ink-soft">{label}</span>
        {aside !== undefined && !isOpen && <VisibleLine text={aside} className="min-w-0 text-ink-faint" />}
      </FoldButton>
      {isOpen && <div className="border-t border-line px-2 py-1.5">{children}</div>}
    </div>
  );
}

function Tool({ tool: { name, description, parameters } }: { tool: CallTool }): ReactNode {
  return (
    <li className="min-w-0">
      <p className="flex items-center gap-1.5 text-xs font-medium">
        <Wrench className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
        <Visible text={name} className="min-w-0 font-mono [overflow-wrap:anywhere]" />
      </p>
      {description !== null && (
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          <Visible text={description} />
        </p>
      )}
      {parameters !== null && <InlineJson label={`Schema of ${name}`} value={parameters} />}
    </li>
  );
}
