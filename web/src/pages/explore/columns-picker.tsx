import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Columns3, Minus, Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import { facetsQuery } from '../../api/spans.ts';
import { Button, IconButton } from '../../design/button.tsx';
import type { Column } from '../../design/column.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { movedColumn, sizedColumn, toggledColumn } from './column-choice.ts';
import type { ChosenColumn } from './column-choice.ts';
import { keyTitle } from './key-column.tsx';
import { isKeyColumn, readKeyColumn } from './key-columns.ts';
import { isFound, KeyForm } from './key-form.tsx';
import { useMetadataKeys } from './use-metadata-keys.ts';

interface ColumnsPickerProps {
  on: FilterSubject;
  /** The columns that there are, scores aside. */
  available: ReadonlyArray<Pick<Column<never>, 'id' | 'title' | 'width' | 'align'>>;
  chosen: readonly ChosenColumn[];
  /** The list has the scores of evaluators. */
  hasScores: boolean;
  onChoose(chosen: readonly ChosenColumn[]): void;
  /** The usual columns. */
  onReset(): void;
}

const step = 40;

/** Chooses the columns of the list, their order and their widths. */
export function ColumnsPicker(props: ColumnsPickerProps): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button>
          <Columns3 aria-hidden />
          Columns
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={12}
          aria-label="Columns"
          className="scroll-thin z-50 flex max-h-[min(70vh,var(--radix-popover-content-available-height))] w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 overflow-auto rounded-lg border border-line bg-raised p-2 shadow-high"
        >
          <Choice {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choice({ on, available, chosen, hasScores, onChoose, onReset }: ColumnsPickerProps): ReactNode {
  const { projectId } = useProject();
  const [text, setText] = useState('');
  const evaluators = useEvaluators(projectId, hasScores);
  const found = useMetadataKeys(projectId, on);
  const scores = evaluators.map((slug) => ({ id: `score.${slug}`, title: slug, width: 110 }));
  const keys = found.map((id) => ({ id, title: keyTitle(id), width: 130 }));
  const known = [...available, ...scores, ...keys];
  const titleOf = (id: string) => (isKeyColumn(id) ? keyTitle(id) : id.replace(/^score\./, ''));
  const columnOf = (id: string) => known.find((one) => one.id === id) ?? { id, title: titleOf(id), width: 130 };
  // Figures stay at the right, where the time is the last.
  const isFigure = (id: string) => id.startsWith('score.') || available.some((one) => one.id === id && one.align === 'end');
  const toggled = (id: string) => onChoose(toggledColumn(chosen, id, isFigure(id) ? undefined : isFigure));
  const hidden = known.filter(({ id }) => !chosen.some((column) => column.id === id));
  return (
    <>
      <ul aria-label="Shown columns" className="flex flex-col">
        {chosen.map((column, index) => {
          const { title, width } = columnOf(column.id);
          const shown = column.width ?? width;
          return (
            <li key={column.id} className="flex items-center gap-1">
              <Toggle {...{ title, id: column.id }} checked onToggle={() => toggled(column.id)} />
              <IconButton
                size="small"
                label={`Move ${visibleText(title)} to the left`}
                disabled={index === 0}
                onClick={() => onChoose(movedColumn(chosen, column.id, -1))}
              >
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={`Move ${visibleText(title)} to the right`}
                disabled={index === chosen.length - 1}
                onClick={() => onChoose(movedColumn(chosen, column.id, 1))}
              >
                <ArrowDown aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={`Narrower: ${visibleText(title)}`}
                onClick={() => onChoose(sizedColumn(chosen, column.id, shown - step))}
              >
                <Minus aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={`Wider: ${visibleText(title)}`}
                onClick={() => onChoose(sizedColumn(chosen, column.id, shown + step))}
              >
                <Plus aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <KeyForm
        label="Search columns and keys"
        text={text}
        onText={setText}
        read={(written) => readKeyColumn(written, on)}
        onAdd={(key) => !chosen.some(({ id }) => id === key) && toggled(key)}
      />
      {hidden.length > 0 && (
        <ul aria-label="Further columns" className="flex flex-col">
          {hidden
            .filter(({ id, title }) => isFound(text, id, title))
            .map(({ id, title }) => (
              <li key={id} className="flex">
                <Toggle {...{ title, id }} checked={false} onToggle={() => toggled(id)} />
              </li>
            ))}
        </ul>
      )}
      <Button size="small" onClick={onReset}>
        Usual columns
      </Button>
    </>
  );
}

/** The evaluators of the project, and others that scored its spans of the last 30 days: applications send scores too. */
function useEvaluators(projectId: string, isAsked: boolean): readonly string[] {
  const own = useQuery({ ...evaluatorsQuery(projectId), enabled: isAsked });
  const scored = useQuery({ ...facetsQuery(projectId, { on: 'spans', field: ['scored'], range: '30d' }), enabled: isAsked });
  const [facet] = scored.data?.facets ?? [];
  const found = facet && 'values' in facet ? facet.values.map(({ value }) => value) : [];
  return [...new Set([...(own.data?.evaluators ?? []).map(({ slug }) => slug), ...found])];
}

interface ToggleProps {
  id: string;
  title: string;
  checked: boolean;
  onToggle(): void;
}

function Toggle({ id, title, checked, onToggle }: ToggleProps): ReactNode {
  const kind = /^(score|metadata|attribute)\./.exec(id)?.[1];
  return (
    <label className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 hover:bg-hover">
      <input type="checkbox" checked={checked} onChange={onToggle} className="size-3.5 shrink-0 accent-accent" />
      <bdi className="truncate">{visibleText(title)}</bdi>
      {kind !== undefined && <span className="text-xs text-ink-faint">{kind}</span>}
    </label>
  );
}
