import { Link } from '@tanstack/react-router';
import type { AlertRule } from '../../api/service.ts';
import { alertTypes, conditionText } from '../../content/alert-words.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { ChannelIcon } from './channel-fields.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { LastValue, RuleState } from './rule-state.tsx';

/** The firing ones first, then those that cannot be evaluated. */
function rank({ enabled, state, lastError }: AlertRule): number {
  if (!enabled) return 4;
  if (state === 'firing') return 0;
  if (lastError !== null) return 1;
  return state === 'no_data' ? 2 : 3;
}

/** What a rule is narrowed to, in one line; empty without. */
function scopeText({ environment, groupBy, filter }: AlertRule): string {
  const names = Object.values(filter).flat();
  return [environment ?? [], names, groupBy === null ? [] : `by ${groupBy}`].flat().join(', ');
}

/** The columns of the list of rules. */
export function alertColumns(at: ProjectPath): ReadonlyArray<Column<AlertRule>> {
  return [
    {
      id: 'name',
      title: 'Rule',
      width: 150,
      grow: true,
      value: ({ name }) => name,
      cell: (rule) => (
        <Link {...pages.alert(at, rule.id)} className="flex items-baseline gap-2 hover:text-accent hover:underline">
          <Visible text={rule.name} className="max-w-full shrink-0 truncate font-medium" />
          <Visible text={scopeText(rule)} className="min-w-0 truncate text-xs text-ink-faint" />
        </Link>
      ),
    },
    {
      id: 'state',
      title: 'State',
      width: 130,
      value: rank,
      cell: (rule) => (
        <span className="flex items-center gap-1.5">
          <RuleState rule={rule} />
          {rule.lastError !== null && (
            <Badge tone="warn" title={rule.lastError}>
              error
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'condition',
      title: 'Condition',
      width: 230,
      droppable: true,
      value: ({ type }) => alertTypes[type].title,
      cell: (rule) => (
        <span className="flex items-baseline gap-1.5">
          <span className="shrink-0">{alertTypes[rule.type].title}</span>
          <VisibleLine text={conditionText(rule)} className="text-xs text-ink-faint" />
        </span>
      ),
    },
    {
      id: 'value',
      title: 'Last value',
      hint: 'The line is the threshold',
      width: 150,
      value: ({ lastValue }) => lastValue,
      cell: (rule) => <LastValue rule={rule} />,
    },
    {
      id: 'channels',
      title: 'Channels',
      width: 100,
      droppable: true,
      value: ({ channels }) => channels.length,
      cell: ({ channels }) =>
        channels.length === 0 ? (
          <Absent why="Incidents are listed in the dashboard only" text="none" />
        ) : (
          <span className="flex items-center gap-1.5 text-ink-soft">
            {channels.slice(0, 4).map(({ id, type }) => (
              <ChannelIcon key={id} type={type} />
            ))}
            {channels.length > 4 && <span className="text-xs">+{channels.length - 4}</span>}
          </span>
        ),
    },
    {
      id: 'evaluated',
      title: 'Evaluated',
      width: 104,
      droppable: true,
      value: ({ lastEvaluatedAt }) => lastEvaluatedAt,
      cell: ({ lastEvaluatedAt }) =>
        lastEvaluatedAt === null ? <Absent why="Not evaluated yet" /> : <Moment ago iso={lastEvaluatedAt} />,
    },
    {
      id: 'enabled',
      title: 'Enabled',
      width: 92,
      align: 'end',
      value: ({ enabled }) => Number(enabled),
      cell: (rule) => <EnabledSwitch rule={rule} />,
    },
  ];
}
