import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/wire.ts';
import { Absent, Count, Duration, Moment, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatShare } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Facts } from './facts.tsx';
import type { Fact } from './facts.tsx';

const costWords = {
  provided: 'as the application reported it',
  priced: 'from the price table, at the price of the day',
  unpriced: 'its model has no known price: it adds nothing to any total',
} as const;

const text = (label: string, value: string | null): Fact | null =>
  value === null ? null : [label, <VisibleLine key={label} text={value} />];

/** What is known of a span besides its content. */
export function SpanFacts({ span }: { span: TraceSpan }): ReactNode {
  const { at } = useProject();
  return (
    <Facts
      facts={[
        ['Started', <Moment key="s" iso={span.startTime} />],
        ['Duration', <Duration key="d" ms={span.durationMs} />],
        span.timeToFirstTokenMs === null ? null : ['First token after', <Duration key="t" ms={span.timeToFirstTokenMs} />],
        span.model === null
          ? null
          : [
              'Model',
              <Link key="m" {...pages.model(at, span.model)} className="text-accent hover:underline">
                <VisibleLine text={span.model} />
              </Link>,
            ],
        span.requestModel === span.model ? null : text('Model requested', span.requestModel),
        text('Provider', span.provider),
        ...costFacts(span),
        ...tokenFacts(span),
        text('Agent', span.agentName),
        text('Operation', span.operation),
        span.promptName === null
          ? null
          : text('Prompt', span.promptVersion === null ? span.promptName : `${span.promptName} #${span.promptVersion}`),
        text('Service', span.service),
        text('Environment', span.environment),
        text('Release', span.release),
        text('Session', span.sessionId),
        text('User', span.userId),
        text('Span id', span.spanId),
      ]}
    />
  );
}

function costFacts({ kind, model, costUsd, costStatus }: TraceSpan): Fact[] {
  if (costUsd === null && (model === null || (kind !== 'llm' && kind !== 'embedding'))) return [];
  const shown =
    costStatus === 'unpriced' ? (
      <span className="text-warn" title={costWords.unpriced}>
        unpriced
      </span>
    ) : (
      <span title={costWords[costStatus]}>{costUsd === null ? <Absent why="No cost" /> : <Usd value={costUsd} />}</span>
    );
  return [['Cost', shown]];
}

function tokenFacts({ usage }: TraceSpan): Fact[] {
  if (!usage) return [];
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const facts: Fact[] = [];
  const add = (label: string, value: number | undefined, note?: ReactNode) => {
    if (value !== undefined && value !== 0)
      facts.push([
        label,
        <span key={label}>
          <Count value={value} /> {note}
        </span>,
      ]);
  };
  add('Input tokens', inputTokens);
  add(
    'of them cached',
    cachedTokens,
    inputTokens ? <span className="text-ink-faint">{formatShare((cachedTokens ?? 0) / inputTokens)}</span> : null,
  );
  add('written to the cache', cacheWriteTokens);
  add('Output tokens', outputTokens);
  add('of them reasoning', reasoningTokens);
  return facts;
}
