import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { openIncidentsQuery } from '../../api/incidents.ts';
import type { AlertRule } from '../../api/service.ts';
import { alertTypes, stateOf, thresholdOf } from '../../content/alert-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Absent, Figure } from '../../design/figures.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { ThresholdBar } from './threshold-bar.tsx';

/** The state of a rule. A firing one links to its incident, or to its incidents if there are several. */
export function RuleState({ rule }: { rule: AlertRule }): ReactNode {
  const { at, projectId } = useProject();
  const { data } = useQuery(openIncidentsQuery(projectId));
  const { text, tone, hint } = stateOf(rule);
  const badge = (
    <Badge tone={tone} title={hint}>
      {text}
    </Badge>
  );
  if (!rule.enabled || rule.state !== 'firing') return badge;
  const own = data?.incidents.filter(({ ruleId }) => ruleId === rule.id) ?? [];
  const [only] = own;
  const name = `${text}: view incident${own.length === 1 ? '' : 's'}`;
  return own.length === 1 && only ? (
    <Link {...pages.incident(at, only.id)} aria-label={name}>
      {badge}
    </Link>
  ) : (
    <Link {...pages.incidents(at)} search={{ rule: rule.id }} aria-label={name}>
      {badge}
    </Link>
  );
}

/** The last value of a rule against its threshold. */
export function LastValue({ rule }: { rule: AlertRule }): ReactNode {
  const { type, lastValue, lastEvaluatedAt } = rule;
  const threshold = thresholdOf(rule);
  const { format, sign, isEvaluated } = alertTypes[type];
  if (!isEvaluated) return <Absent why="Has no value" />;
  if (lastValue === null || threshold === null) {
    return <Absent why={lastEvaluatedAt === null ? 'Not evaluated yet' : 'No data in the last evaluation'} />;
  }
  const isFiring = rule.enabled && rule.state === 'firing';
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <ThresholdBar
        {...{ isFiring, threshold }}
        value={lastValue}
        label={`Last value ${format(lastValue)}. Fires when ${sign} ${format(threshold)}.`}
      />
      <Figure value={lastValue} format={format} />
    </span>
  );
}
