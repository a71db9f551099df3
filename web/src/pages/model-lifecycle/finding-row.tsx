import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedModel } from '../../api/parts.ts';
import type { Finding } from '../../api/service.ts';
import { bandTones, daysLabel } from '../../content/lifecycle-words.ts';
import { calledReplacement, listedComparison } from '../../content/model-comparison.ts';
import { SourceLink } from '../../content/source-link.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Absent, Count, Moment, Score, Unpriced, Usd } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { formatUtcDate } from '../../format/time-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

interface FindingRowProps {
  finding: Finding;
  /** The models called in 30 days; undefined while they load. */
  models: readonly ListedModel[] | undefined;
  onDismiss(): void;
}

/** A model that is retired soon, who calls it and what replaces it. */
export function FindingRow({ finding, models, onDismiss }: FindingRowProps): ReactNode {
  const { at, can } = useProject();
  const { model, provider, retiresOn, daysRemaining, band, source, state, dismissedAt, dismissedBy } = finding;
  const own = models?.find((one) => one.model === model);
  return (
    <li className="grid gap-x-4 gap-y-2 border-t border-line px-3 py-2.5 first:border-t-0 grid-cols-2 lg:grid-cols-3 xl:grid-cols-[minmax(0,1.3fr)_9.5rem_minmax(0,1fr)_7rem_minmax(0,1.3fr)_5.5rem]">
      <div className="col-span-2 min-w-0 lg:col-span-1">
        <Link {...pages.model(at, model)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={model} />
        </Link>
        <p className="text-xs text-ink-faint">{provider === null ? 'No provider recorded' : <Visible text={provider} />}</p>
        {state === 'dismissed' && dismissedAt !== null && (
          <p className="text-xs text-ink-faint">
            Dismissed <Moment ago iso={dismissedAt} />
            {dismissedBy !== null && (
              <>
                {' '}
                by <Visible text={dismissedBy} />
              </>
            )}
          </p>
        )}
      </div>
      <Fact label={daysRemaining < 0 ? 'Retired' : 'Retires'}>
        <span className="numbers">{formatUtcDate(retiresOn)}</span>
        <span className="flex flex-wrap items-center gap-x-1.5 text-xs">
          <Badge tone={bandTones[band]}>{daysLabel(daysRemaining)}</Badge>
          {source !== null && <SourceLink source={source} />}
        </span>
      </Fact>
      <Fact label="Used by">
        <Agents finding={finding} />
      </Fact>
      <Fact label="Last 30 days">
        <span className="block">
          <Count value={finding.calls30d} /> {finding.calls30d === 1 ? 'call' : 'calls'}
        </span>
        <span className="block text-xs text-ink-soft">
          <Usd value={finding.cost30d} unpriced={finding.unpricedCalls} partly={finding.partlyPricedCalls} />
        </span>
      </Fact>
      <Fact label="Replacement">
        <Replacement finding={finding} own={own} models={models} />
      </Fact>
      <div className="flex items-start xl:justify-end">
        {state === 'open' && can('alerts:manage') && (
          <Button size="small" onClick={onDismiss} aria-label={`Dismiss ${visibleText(model)}`}>
            Dismiss
          </Button>
        )}
      </div>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <p className="text-xs text-ink-faint">{label}</p>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

const maxAgents = 4;

/** The agents that call a model, each with its traces. */
function Agents({ finding: { agents, model } }: { finding: Finding }): ReactNode {
  const { at } = useProject();
  const search = { range: '30d', model } as const;
  if (agents.length === 0) {
    return (
      <Link {...pages.traces(at)} search={search} className="text-accent hover:underline">
        View traces
      </Link>
    );
  }
  return (
    <ul>
      {agents.slice(0, maxAgents).map((agent) => (
        <li key={agent} className="min-w-0">
          <Link {...pages.traces(at)} search={{ ...search, agent }} className="block hover:text-accent hover:underline">
            <VisibleLine text={agent} />
          </Link>
        </li>
      ))}
      {agents.length > maxAgents && (
        <li>
          <Link {...pages.traces(at)} search={search} className="text-xs text-accent hover:underline">
            {agents.length - maxAgents} more
          </Link>
        </li>
      )}
    </ul>
  );
}

interface ReplacementProps {
  finding: Finding;
  own: ListedModel | undefined;
  models: readonly ListedModel[] | undefined;
}

/** The replacement that the catalogue names, compared with the model if it is called too. */
function Replacement({ finding: { replacement }, own, models }: ReplacementProps): ReactNode {
  const { at } = useProject();
  if (replacement === null) return <Absent why="The catalogue names no replacement" text="none named" />;
  const called = models ? calledReplacement(models, replacement) : null;
  if (!called) {
    return (
      <>
        <VisibleLine text={replacement} />
        {models && <span className="block text-xs text-ink-faint">not called in the last 30 days</span>}
      </>
    );
  }
  const { model, avg_cost_per_call: cost, avg_eval_score: score, unpriced_calls: unpriced, total_calls: calls } = called;
  return (
    <>
      <Link {...pages.model(at, model)} className="block hover:text-accent hover:underline">
        <VisibleLine text={model} />
      </Link>
      <span className="block text-xs text-ink-soft">
        {unpriced === calls ? <Unpriced /> : <Usd value={cost} />} per call
        {score !== null && (
          <>
            {' '}
            · quality <Score value={score} />
          </>
        )}
      </span>
      {own && <span className="block text-xs text-ink-soft">{listedComparison(own, called)}</span>}
    </>
  );
}
