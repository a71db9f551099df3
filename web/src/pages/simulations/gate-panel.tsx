import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { batchRunsQuery, isActive, useGate } from '../../api/simulations.ts';
import type { BatchRun } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useProject } from '../../frame/project-context.ts';
import { urlTo } from '../../api/operations.ts';
import { emptyGate, gateBodyOf, gateCommandLine, gateCurl, limits } from './gate-fields.ts';
import type { GateForm } from './gate-fields.ts';
import { GateVerdict } from './gate-verdict.tsx';
import { RunPicker } from './run-picker.tsx';

/** Compares a run with a baseline of the same scenario: limits, the verdict, and the lines for a pipeline. */
export function GatePanel({ run }: { run: BatchRun }): ReactNode {
  const { projectId, can } = useProject();
  const runs = useInfiniteQuery(batchRunsQuery(projectId, { scenarioId: run.scenarioId, status: 'completed' }));
  const gate = useGate(projectId, run.id);
  const [typed, setForm] = useState(emptyGate);
  const newest = runs.data?.pages.flatMap(({ batchRuns }) => batchRuns).find(({ id }) => id !== run.id);
  const form = { ...typed, baseline: typed.baseline === '' ? (newest?.id ?? '') : typed.baseline };
  const change = (fields: Partial<GateForm>) => {
    gate.reset();
    setForm({ ...form, ...fields });
  };
  if (newest === undefined) {
    return (
      <Card title="Gate">
        <p className="p-3 text-ink-soft">
          {runs.isPending
            ? 'Loading…'
            : runs.isLoadingError
              ? 'The runs to compare with can’t be loaded.'
              : 'The gate compares with a completed run of the same scenario. There is no other one.'}
        </p>
      </Card>
    );
  }
  return (
    <Card title="Gate">
      <div className="flex flex-col gap-3 p-3">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] items-end gap-2">
          <RunPicker
            label="Baseline"
            value={form.baseline}
            filter={{ scenarioId: run.scenarioId, status: 'completed' }}
            except={run.id}
            onValue={(baseline) => change({ baseline })}
          />
          {limits.map(([name, label]) => (
            <Input
              key={name}
              label={`${label} (%)`}
              type="number"
              step="any"
              value={form[name]}
              onChange={(event) => change({ [name]: event.target.value })}
            />
          ))}
          <Select
            label="Confidence"
            value={form.confidence}
            options={[
              ...['0.8', '0.9', '0.95', '0.99'].map((value) => ({ value, label: `${Number(value) * 100}%` })),
              { value: '', label: 'Compare the figures' },
            ]}
            onValue={(confidence) => change({ confidence })}
          />
          <Select
            label="Inconclusive checks"
            value={form.onInconclusive}
            options={[
              { value: 'point', label: 'Count as their figure does' },
              { value: 'pass', label: 'Count as passed' },
              { value: 'fail', label: 'Count as failed' },
            ]}
            onValue={(onInconclusive) => change({ onInconclusive })}
          />
          {can('simulations:manage') && (
            <Button look="primary" busy={gate.isPending} disabled={isActive(run)} onClick={() => gate.mutate(gateBodyOf(form))}>
              Check
            </Button>
          )}
        </div>
        {gate.error && (
          <p role="alert" className="text-bad">
            {gate.error.message}
          </p>
        )}
        {gate.data && !gate.data.pending && <GateVerdict run={run} result={gate.data} />}
        <Snippet label="spanwise gate command" text={gateCommandLine(run.id, form)} />
        <Snippet
          label="curl command of the gate"
          text={gateCurl(
            `${location.origin}${urlTo('/v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate', { id: projectId, batchRunId: run.id })}`,
            form,
          )}
        />
      </div>
    </Card>
  );
}
