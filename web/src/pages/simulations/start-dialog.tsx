import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useBatchRunActions } from '../../api/simulations.ts';
import type { Scenario } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

const formId = 'batch-run-form';

/** Starts a batch run of a scenario, and opens it. */
export function StartDialog({ scenario, onClose }: { scenario: Scenario; onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const { start } = useBatchRunActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const [label, setLabel] = useState('');
  const [concurrency, setConcurrency] = useState('4');
  const [repetitions, setRepetitions] = useState('1');
  const errors = fieldErrors(start.error);
  const rest = errors.rest(['/label', '/concurrency', '/repetitions']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate(
      {
        scenarioId: scenario.id,
        label: label.trim() === '' ? null : label.trim(),
        concurrency: Number(concurrency),
        repetitions: Number(repetitions),
      },
      {
        onSuccess: ({ batchRun }) => {
          onClose();
          say('Batch run started');
          void navigate(pages.batchRun(at, batchRun.id));
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Start batch run"
      description={
        <>
          Sends each item of the dataset to the target of <Visible text={scenario.name} className="font-medium text-ink" />.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} busy={start.isPending}>
            Start
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid grid-cols-2 gap-3">
        <Input
          label="Label"
          className="col-span-2"
          autoFocus
          placeholder="e.g. main, or the name of a branch"
          hint="Optional. A gate finds its baseline by it."
          value={label}
          onChange={(event) => setLabel(event.target.value)}
          error={errors.at('/label')}
        />
        <Input
          label="Concurrency"
          type="number"
          min={1}
          max={32}
          hint="Items sent at the same time, 1 to 32"
          value={concurrency}
          onChange={(event) => setConcurrency(event.target.value)}
          error={errors.at('/concurrency')}
        />
        <Input
          label="Repetitions"
          type="number"
          min={1}
          max={10}
          hint="How often each item is sent, 1 to 10"
          value={repetitions}
          onChange={(event) => setRepetitions(event.target.value)}
          error={errors.at('/repetitions')}
        />
        {rest !== null && (
          <p role="alert" className="col-span-2 text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
