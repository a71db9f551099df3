import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/wire.ts';
import { Absent, Count, Duration, Moment, Share, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { PromptLink, SessionLink, TracesLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { MultipleName } from '../../trace-filters.ts';
import { Facts } from './facts.tsx';
import type { Fact } from './facts.tsx';

const costNotes = {
  provided: 'Reported by the application',
  priced: "Calculated from the price table, at the day's price",
  unpriced: 'No price for this model. Not included in totals.',
} as const;

const text = (label: string, value: string | null): Fact | null =>
  value === null ? null : [label, <VisibleLine key={label} text={value} />];

const traces = (label: string, value: string | null, filter: MultipleName): Fact | null =>
  value === null ? null : [label, <TracesLink key={label} filter={{ [filter]: value }} text={value} />];

/** The fields of a span other than its content. */
export function SpanFacts({ span }: { span: TraceSpan }): ReactNode {
  const { at } = useProject();
  return (
    <Facts
      facts={[
        ['Started', <Moment key="s" iso={span.startTime} />],
        ['Duration', <Duration key="d" ms={span.durationMs} />],
        span.timeToFirstTokenMs === null ? null : ['Time to first token', <Duration key="t" ms={span.timeToFirstTokenMs} />],
        span.model === null
          ? null
          : [
              'Model',
              <Link key="m" {...pages.model(at, span.model)} className="text-accent hover:underline">
                <VisibleLine text={span.model} />
              </Link>,
            ],
        span.requestModel === span.model ? null : text('Requested model', span.requestModel),
        text('Provider', span.provider),
        ...costFacts(span),
        ...tokenFacts(span),
        traces('Agent', span.agentName, 'agent'),
        text('Operation', span.operation),
        span.promptName === null ? null : ['Prompt', <PromptLink key="p" name={span.promptName} version={span.promptVersion} />],
        text('Service', span.service),
        traces('Environment', span.environment, 'environment'),
        traces('Release', span.release, 'release'),
        span.sessionId === null ? null : ['Session', <SessionLink key="session" sessionId={span.sessionId} />],
        traces('User', span.userId, 'user'),
        text('Span ID', span.spanId),
      ]}
    />
  );
}

function costFacts({ kind, model, costUsd, costStatus }: TraceSpan): Fact[] {
  if (costUsd === null && (model === null || (kind !== 'llm' && kind !== 'embedding'))) return [];
  const shown =
    costStatus === 'unpriced' ? (
      <span className="text-warn" title={costNotes.unpriced}>
        unpriced
      </span>
    ) : (
      <span title={costNotes[costStatus]}>{costUsd === null ? <Absent why="No cost" /> : <Usd value={costUsd} />}</span>
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
    'Cached input tokens',
    cachedTokens,
    inputTokens ? (
      <span className="text-ink-faint">
        <Share value={(cachedTokens ?? 0) / inputTokens} />
      </span>
    ) : null,
  );
  add('Cache write tokens', cacheWriteTokens);
  add('Output tokens', outputTokens);
  add('Reasoning tokens', reasoningTokens);
  return facts;
}
