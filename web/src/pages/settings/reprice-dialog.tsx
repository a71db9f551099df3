import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { repricingQuery, usePriceActions } from '../../api/prices.ts';
import type { RepriceBody, Repricing } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { Count, Usd } from '../../design/figures.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { costChange } from './cost-change.ts';
import { dayMs } from '../../../../src/contract/durations.ts';

interface RepriceDialogProps {
  /** The model whose calls are priced anew; null: every model. */
  model: string | null;
  onClose(): void;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Figures that a repricing changes. */
const changedFigures = [
  'blast-radius',
  'graph',
  'model',
  'models',
  'outcomes',
  'overview',
  'prompt-metrics',
  'session-detail',
  'sessions',
  'span-mapping',
  'trace',
  'traces',
];

/** Prices past calls anew: a dry run first, which shows the cost before and after, and then the change. */
export function RepriceDialog({ model, onClose }: RepriceDialogProps): ReactNode {
  const { projectId } = useProject();
  const { reprice } = usePriceActions(projectId);
  const [form, setForm] = useState(() => ({
    from: dayOf(Date.now() - 29 * dayMs),
    to: dayOf(Date.now()),
    of: model === null ? 'all' : 'one',
  }));
  const [asked, setAsked] = useState<{ id: string; fields: RepriceBody } | null>(null);
  const query = useQuery({ ...repricingQuery(projectId, asked?.id ?? ''), enabled: asked !== null });
  const repricing = asked === null ? undefined : query.data;
  useRefreshedFigures(repricing);
  const start = (fields: RepriceBody) => reprice.mutate(fields, { onSuccess: ({ id }) => setAsked({ id, fields }) });
  const preview = (event: FormEvent) => {
    event.preventDefault();
    const models = model !== null && form.of === 'one' ? { models: [model] } : {};
    start({ from: form.from, to: form.to, ...models, dryRun: true });
  };
  const isPreviewed = repricing?.status === 'completed' && repricing.dryRun;
  const isChanged = repricing?.status === 'completed' && !repricing.dryRun;
  const error = reprice.error?.message ?? query.error?.message ?? repricing?.error ?? null;
  const busy = reprice.isPending || (asked !== null && repricing?.completedAt == null && query.error === null);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Reprice past calls"
      description="Calculates the cost of recorded calls again. Costs that the client sent are never changed."
      footer={
        <>
          <Button onClick={onClose}>{isChanged ? 'Done' : 'Close'}</Button>
          {isPreviewed && asked && repricing.changed > 0 ? (
            <Button look="primary" busy={busy} onClick={() => start({ ...asked.fields, dryRun: false })}>
              Change {countedExactly(repricing.changed, 'cost')}
            </Button>
          ) : (
            !isChanged && (
              <Button look="primary" type="submit" form="reprice-form" busy={busy} disabled={form.from === '' || form.to === ''}>
                Preview
              </Button>
            )
          )}
        </>
      }
    >
      <form id="reprice-form" onSubmit={preview} className="flex flex-col gap-3" noValidate>
        <fieldset
          className="grid grid-cols-2 gap-3"
          disabled={busy || isChanged}
          // Another range needs another preview.
          onChange={() => setAsked(null)}
        >
          <Input
            label="From (UTC)"
            type="date"
            value={form.from}
            onChange={({ target }) => setForm({ ...form, from: target.value })}
          />
          <Input label="To (UTC)" type="date" value={form.to} onChange={({ target }) => setForm({ ...form, to: target.value })} />
          {model !== null && (
            <Select
              label="Models"
              className="col-span-2"
              value={form.of}
              options={[
                { value: 'one', label: `Only ${model}` },
                { value: 'all', label: 'All models' },
              ]}
              onValue={(of) => setForm({ ...form, of })}
            />
          )}
        </fieldset>
        {repricing && <Figures repricing={repricing} />}
        {error !== null && (
          <p role="alert" className="text-bad">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function Figures({ repricing }: { repricing: Repricing }): ReactNode {
  const { status, dryRun, spans, changed, costBefore, costAfter } = repricing;
  const running = status === 'queued' || status === 'running';
  const text = running
    ? `${dryRun ? 'Calculating' : 'Changing'}: ${countedExactly(spans, 'call')} so far…`
    : status === 'failed'
      ? 'Stopped. What was changed before stays changed; preview again to continue.'
      : changed === 0
        ? 'No cost changes.'
        : dryRun
          ? 'Nothing has been changed yet.'
          : 'Costs changed. Figures include them now.';
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      <Stats>
        <Stat
          label={dryRun ? 'Costs that change' : 'Changed costs'}
          value={<Count value={changed} />}
          note={`of ${countedExactly(spans, 'span')}`}
        />
        <Stat label="Cost before" value={<Usd value={costBefore} />} />
        <Stat label="Cost after" value={<Usd value={costAfter} />} note={costChange(costBefore, costAfter)} />
      </Stats>
      <p className="text-ink-soft">{text}</p>
    </div>
  );
}

/** Reads the figures again once costs have changed. */
function useRefreshedFigures(repricing: Repricing | undefined): void {
  const client = useQueryClient();
  const ended = repricing !== undefined && !repricing.dryRun && repricing.completedAt !== null;
  useEffect(() => {
    if (!ended) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => changedFigures.includes(String(queryKey[0])) });
  }, [client, ended]);
}
