import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { impactQuery } from '../../api/changes.ts';
import { failureOf } from '../../api/failure-of.ts';
import { overviewQuery } from '../../api/models.ts';
import type { Change, Impact } from '../../api/service.ts';
import { ImpactChecks } from '../../content/impact-checks.tsx';
import { classNames } from '../../design/class-names.ts';
import { Select } from '../../design/field.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { impactHours, impactRequest } from './search.ts';
import type { ChangeSearch, ImpactHours } from './search.ts';
import { hourMs } from '../../../../src/contract/durations.ts';

interface ImpactProps {
  change: Change;
  search: ChangeSearch;
}

/** The figures before and after a change, over hours and of calls that the viewer chooses. */
export function ImpactSection({ change, search }: ImpactProps): ReactNode {
  const { projectId } = useProject();
  const request = impactRequest(search);
  const query = useQuery({ ...impactQuery(projectId, change.id, request), placeholderData: keepPreviousData });
  return (
    <section aria-label="Before and after" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <h2 className="text-lg font-semibold">Before and after</h2>
        <Choices change={change} search={search} />
      </div>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <div
          className={classNames('flex flex-col gap-3', query.isPlaceholderData && 'opacity-60')}
          aria-busy={query.isPlaceholderData}
        >
          <Sides impact={query.data} change={change} search={search} />
          <ImpactChecks checks={query.data.checks} />
        </div>
      ) : (
        <Skeleton className="h-64" />
      )}
      <Scope change={change} />
    </section>
  );
}

const hourLabels: Readonly<Record<ImpactHours, string>> = {
  1: '1 hour each',
  6: '6 hours each',
  24: '24 hours each',
  72: '3 days each',
  168: '7 days each',
};

function Choices({ change, search }: ImpactProps): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { hours } = impactRequest(search);
  const atMs = Date.parse(change.at);
  const iso = (ms: number) => new Date(ms).toISOString();
  // Who called models in these hours.
  const { data } = useQuery(overviewQuery(projectId, { from: iso(atMs - hours * hourMs), to: iso(atMs + hours * hourMs) }));
  const show = (next: ChangeSearch) =>
    void navigate({ ...pages.change(at, change.id), search: { ...search, ...next }, replace: true });
  const options = (names: readonly string[], chosen: string | undefined, all: string) => [
    { value: '', label: all },
    ...[...new Set([...names, ...(chosen === undefined ? [] : [chosen])])]
      .toSorted()
      .map((value) => ({ value, label: visibleText(value) })),
  ];
  return (
    <div
      role="group"
      aria-label="Compared calls"
      className="grid w-full gap-2 sm:flex sm:w-auto sm:flex-wrap [&_select]:max-w-full"
    >
      <Select<string>
        label="Hours before and after"
        labelHidden
        value={String(hours)}
        options={impactHours.map((value) => ({ value: String(value), label: hourLabels[value] }))}
        onValue={(value) => show({ hours: impactHours.find((one) => String(one) === value) })}
      />
      <Select<string>
        label="Model"
        labelHidden
        className="sm:max-w-60"
        value={search.model ?? ''}
        options={options(data?.models.map(({ model }) => model) ?? [], search.model, 'All models')}
        onValue={(value) => show({ model: value === '' ? undefined : value })}
      />
      <Select<string>
        label="Agent"
        labelHidden
        className="sm:max-w-60"
        value={search.agent ?? ''}
        options={options(data?.agents.map(({ agent_name }) => agent_name) ?? [], search.agent, 'All agents')}
        onValue={(value) => show({ agent: value === '' ? undefined : value })}
      />
    </div>
  );
}

function Sides({ impact, change, search }: ImpactProps & { impact: Impact }): ReactNode {
  const { before, after } = impact;
  return (
    <div className="grid gap-x-6 gap-y-1 text-ink-soft sm:flex sm:flex-wrap">
      <Side label="Before" side={before} change={change} search={search} />
      {after.from === after.to ? (
        <p>
          <span className="font-medium text-ink">After</span> Nothing yet: the change has not begun.
        </p>
      ) : (
        <Side label="After" side={after} change={change} search={search} />
      )}
    </div>
  );
}

interface SideProps extends ImpactProps {
  label: string;
  side: Impact['before'];
}

/** The time of one side, with a link to its traces. */
function Side({ label, side: { from, to, calls }, change, search }: SideProps): ReactNode {
  const { at } = useProject();
  const { environment } = change;
  const { model, agent } = search;
  const lastMs = Math.max(Date.parse(from) + 1, Date.parse(to) - 1);
  const filter = {
    ...(environment === null ? {} : { environment }),
    ...(model === undefined ? {} : { model }),
    ...(agent === undefined ? {} : { agent }),
  };
  return (
    <p className="flex flex-wrap gap-x-1.5">
      <span className="font-medium text-ink">{label}</span>
      <span className="whitespace-nowrap">
        <Moment iso={from} /> – <Moment iso={to} />
      </span>
      <span>· {countedExactly(calls, 'call')} ·</span>
      <Link
        {...pages.traces(at)}
        search={{ from, to: new Date(lastMs).toISOString(), ...filter }}
        className="text-accent hover:underline"
        aria-label={`View traces ${label.toLowerCase()} the change`}
      >
        View traces
      </Link>
    </p>
  );
}

/** Which calls count on both sides. */
function Scope({ change: { environment, service } }: { change: Change }): ReactNode {
  if (environment === null && service === null) return null;
  return (
    <p className="text-xs text-ink-faint">
      Only calls
      {environment !== null && (
        <>
          {' '}
          in the environment <Visible text={environment} className="font-medium" />
        </>
      )}
      {service !== null && (
        <>
          {' '}
          of the service <Visible text={service} className="font-medium" />
        </>
      )}{' '}
      are compared.
    </p>
  );
}
