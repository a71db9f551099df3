import { useInfiniteQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { itemChoiceQuery } from '../../api/datasets.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useTryItem } from '../../api/simulations.ts';
import type { TryBody } from '../../api/service.ts';
import { itemBody, itemDraftOf } from '../../content/item-draft.ts';
import type { ItemField } from '../../content/item-draft.ts';
import { ValueField } from '../../content/value-field.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Segments } from '../../design/segments.tsx';
import { useProject } from '../../frame/project-context.ts';
import { ItemChoice } from './item-choice.tsx';
import { bodyProblem, fieldsOf } from './scenario-values.ts';
import type { ScenarioForm } from './scenario-values.ts';
import { TriedView } from './tried-view.tsx';

interface TryItemProps {
  /** The unsaved values. */
  form: ScenarioForm;
  /** The stored scenario, whose secret headers are sent for `***`. */
  scenarioId?: string | undefined;
}

/** Sends one item with the values of the form, and shows what was sent, answered, extracted and found. */
export function TryItem({ form, scenarioId }: TryItemProps): ReactNode {
  const { projectId } = useProject();
  const attempt = useTryItem(projectId);
  const [chosen, setChosen] = useState({ datasetId: '', id: '' });
  const [typed, setTyped] = useState<boolean | null>(null);
  const [draft, setDraft] = useState(() => itemDraftOf(undefined));
  const [problems, setProblems] = useState<Partial<Record<ItemField | 'body' | 'dataset', string>>>({});
  const items = useInfiniteQuery({ ...itemChoiceQuery(projectId, form.datasetId), enabled: form.datasetId !== '' });
  const isTyped = typed ?? form.datasetId === '';
  const itemId = chosen.datasetId === form.datasetId && chosen.id !== '' ? chosen.id : items.data?.pages[0]?.items[0]?.id;
  const item = (): Pick<TryBody, 'item' | 'datasetItemId'> | null => {
    if (!isTyped) {
      if (itemId !== undefined) return { datasetItemId: itemId };
      setProblems({ dataset: form.datasetId === '' ? 'Choose a dataset first.' : 'Add an item to the dataset first.' });
      return null;
    }
    const read = itemBody(draft, null);
    if ('body' in read) return { item: JSON.parse(read.body) as NonNullable<TryBody['item']> };
    setProblems(read.problems);
    return null;
  };
  const send = () => {
    const body = bodyProblem(form);
    setProblems(body === null ? {} : { body: `Correct the body of the target. ${body}` });
    if (body !== null) return;
    const given = item();
    if (given === null) return;
    const { target, evaluators, referenceMatch } = fieldsOf(form);
    const stored = scenarioId === undefined ? {} : { scenarioId };
    attempt.mutate({ target, evaluators: evaluators ?? [], referenceMatch: referenceMatch ?? null, ...stored, ...given });
  };
  const field = (name: ItemField) => ({
    draft: draft[name],
    onDraft: (next: (typeof draft)[ItemField]) => setDraft({ ...draft, [name]: next }),
    error: problems[name],
  });
  const problem = problems.body ?? errorOf(attempt.error);
  return (
    <Card
      title="Try one item"
      aside={
        <Segments
          label="Item to try"
          value={isTyped ? 'typed' : 'dataset'}
          options={[
            { value: 'dataset', label: 'From the dataset' },
            { value: 'typed', label: 'Typed' },
          ]}
          onValue={(next) => setTyped(next === 'typed')}
        />
      }
    >
      <div className="flex flex-col gap-3 p-3">
        <p className="text-xs text-ink-faint">Runs one item with the form as it is. Nothing is stored.</p>
        {isTyped ? (
          <>
            <ValueField label="Input" forms={['text', 'json']} rows={3} {...field('input')} />
            <ValueField
              label="Expected output"
              forms={['text', 'json', 'none']}
              noneHint="No expected output"
              rows={3}
              {...field('expectedOutput')}
            />
            <ValueField label="Metadata (JSON object)" forms={['json']} rows={2} {...field('metadata')} />
          </>
        ) : form.datasetId === '' ? (
          <p className="text-ink-soft">{problems.dataset ?? 'Choose a dataset, or type an item.'}</p>
        ) : (
          <ItemChoice
            datasetId={form.datasetId}
            value={itemId ?? ''}
            onValue={(id) => setChosen({ datasetId: form.datasetId, id })}
            error={problems.dataset ?? null}
          />
        )}
        <div>
          <Button onClick={send} busy={attempt.isPending}>
            <Play aria-hidden />
            Try item
          </Button>
        </div>
        {problem !== null && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
        {attempt.data && !attempt.isPending && problem === null && <TriedView tried={attempt.data} />}
      </div>
    </Card>
  );
}

/** The error with what is said of its fields: these stand further up in the form. */
function errorOf(error: Error | null): string | null {
  if (error === null) return null;
  const errors = fieldErrors(error);
  return (
    ['url', 'headers', 'body', 'outputPath', 'timeoutMs', 'promptName', 'label', 'connection', 'model'].reduce<string | null>(
      (found, name) =>
        found ?? (errors.at(`/target/${name}`) === null ? null : `${titles[name] ?? name}: ${errors.at(`/target/${name}`)}`),
      null,
    ) ?? error.message
  );
}

const titles: Readonly<Record<string, string>> = {
  url: 'URL',
  headers: 'Headers',
  body: 'Body',
  outputPath: 'Output path',
  timeoutMs: 'Timeout',
  promptName: 'Prompt',
  label: 'Label',
  connection: 'Connection',
  model: 'Model',
};
