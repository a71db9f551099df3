import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/service.ts';
import { Absent, Count, Duration, Moment, Share, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProjectIfAny } from '../../frame/project-context.ts';
import { PromptLink, SessionLink, TracesLink, UserLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { MultipleName } from '../../trace-filters.ts';
import { CopiedId } from './copied-id.tsx';
import { Facts } from './facts.tsx';
import type { Fact } from './facts.tsx';

const costNotes = {
  provided: 'Reported by the application',
  priced: "Calculated from the price table, at the day's price",
  partly_priced: 'Some classes of tokens have no rate and add nothing',
  unpriced: 'No price for this model. Not included in totals.',
} as const;

const text = (label: string, value: string | null): Fact | null =>
  value === null ? null : [label, <VisibleLine key={label} text={value} />];

const traces = (label: string, value: string | null, filter: MultipleName): Fact | null =>
  value === null ? null : [label, <TracesLink key={label} filter={{ [filter]: value }} text={value} />];

/** The fields of a span other than its content. Outside of a project they lead nowhere. */
export function SpanFacts({ span }: { span: TraceSpan }): ReactNode {
  const at = useProjectIfAny()?.at;
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
              at === undefined ? (
                <VisibleLine key="m" text={span.model} />
              ) : (
                <Link key="m" {...pages.model(at, span.model)} className="text-accent hover:underline">
                  <VisibleLine text={span.model} />
                </Link>
              ),
            ],
        span.requestModel === span.model ? null : text('Requested model', span.requestModel),
        text('Provider', span.provider),
        ...costFacts(span),
        ...tokenFacts(span),
        at === undefined ? text('Agent', span.agentName) : traces('Agent', span.agentName, 'agent'),
        text('Operation', span.operation),
        span.promptName === null ? null : ['Prompt', <PromptLink key="p" name={span.promptName} version={span.promptVersion} />],
        text('Service', span.service),
        traces('Environment', span.environment, 'environment'),
        traces('Release', span.release, 'release'),
        span.sessionId === null ? null : ['Session', <SessionLink key="session" sessionId={span.sessionId} />],
        span.userId === null ? null : ['User', <UserLink key="user" userId={span.userId} />],
        ['Span ID', <CopiedId key="id" id={span.spanId} what="span ID" />],
      ]}
    />
  );
}

function costFacts({ kind, model, costUsd, costStatus, usage }: TraceSpan): Fact[] {
  if (costUsd === null && (model === null || (kind !== 'llm' && kind !== 'embedding'))) return [];
  const shown =
    costStatus === 'unpriced' ? (
      <span
        className="text-warn"
        title={usage === null ? 'The client sent no token counts. Not included in totals.' : costNotes.unpriced}
      >
        {usage === null ? 'no token counts' : 'unpriced'}
      </span>
    ) : (
      <span title={costNotes[costStatus]}>
        {costUsd === null ? <Absent why="No cost" /> : <Usd value={costUsd} partly={costStatus === 'partly_priced' ? 1 : 0} />}
      </span>
    );
  return [['Cost', shown]];
}

const tokenClasses: Readonly<Record<string, string>> = {
  inputAudio: 'Audio input tokens',
  outputAudio: 'Audio output tokens',
  inputImage: 'Image input tokens',
  outputImage: 'Image output tokens',
  cachedAudio: 'Cached audio tokens',
  cacheWrite5m: 'Cache write tokens, 5 minutes',
  cacheWrite1h: 'Cache write tokens, 1 hour',
};

/** The label of a class of tokens: the client's name for one that is not known. */
function tokenClassLabel(name: string): string {
  return tokenClasses[name] ?? `${name} (tokens)`;
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
  for (const [name, tokens] of Object.entries(usage.details ?? {})) add(tokenClassLabel(name), tokens);
  return facts;
}
