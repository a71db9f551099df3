import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { batchRunQuery, batchRunsQuery } from '../../api/simulations.ts';
import type { BatchRunsFilter } from '../../api/simulations.ts';
import type { BatchRun } from '../../api/service.ts';
import { Moment, Share } from '../../design/figures.tsx';
import { Picker, PickerList } from '../../design/picker.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatMoment } from '../../format/time-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

interface RunPickerProps {
  label: string;
  /** The id of a run; empty without one. */
  value: string;
  /** Which runs are offered. */
  filter: Omit<BatchRunsFilter, 'q'>;
  /** The run that is not offered: the one that is compared. */
  except: string;
  /** The first option: no run. */
  none?: string;
  onValue(id: string): void;
  className?: string;
}

/** A choice of a batch run among all of a scenario or dataset. */
export function RunPicker({ label, value, filter, except, none, onValue, className }: RunPickerProps): ReactNode {
  const { projectId } = useProject();
  const chosen = useQuery({ ...batchRunQuery(projectId, value), enabled: value !== '' });
  const shown = chosen.data ? runLine(chosen.data.batchRun) : chosen.error ? 'Run not found' : '…';
  return (
    <Picker
      label={label}
      shown={value === '' ? (none ?? 'Choose a run') : shown}
      {...(className === undefined ? {} : { className })}
    >
      {(close) => (
        <Runs
          {...{ label, value, filter, except, none }}
          onChoose={(id) => {
            onValue(id);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function runLine({ id, label, createdAt }: BatchRun): string {
  return `${visibleText(label ?? `Run ${id.slice(-8)}`)}, ${formatMoment(createdAt)}`;
}

type RunsProps = Pick<RunPickerProps, 'label' | 'value' | 'filter' | 'except'> & {
  none: string | undefined;
  onChoose(id: string): void;
};

function Runs({ filter, except, ...list }: RunsProps): ReactNode {
  const { projectId } = useProject();
  const [q, setQ] = useState('');
  const query = useInfiniteQuery(batchRunsQuery(projectId, { ...filter, q: q === '' ? undefined : q }));
  const runs = query.data?.pages.flatMap(({ batchRuns }) => batchRuns).filter(({ id }) => id !== except) ?? [];
  return (
    <PickerList
      {...list}
      search={{ text: q, onSearch: setQ }}
      pages={query}
      options={runs.map((run) => ({
        value: run.id,
        label: <VisibleLine text={`${run.label ?? `Run ${run.id.slice(-8)}`} · ${run.scenarioName}`} />,
        note: (
          <>
            {run.passRate === null ? run.status : <Share value={run.passRate} />} <Moment iso={run.createdAt} />
          </>
        ),
      }))}
    />
  );
}
