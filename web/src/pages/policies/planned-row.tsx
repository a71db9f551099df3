import type { ReactNode } from 'react';
import type { PlannedChange } from '../../api/policies.ts';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import { Visible } from '../../design/visible.tsx';
import { visiblePart } from '../../format/visible-text.ts';
import { fieldPath, valueText } from './field-values.ts';

const looks = {
  create: { sign: '+', word: 'create', row: 'bg-good-soft', tone: 'text-good' },
  update: { sign: '~', word: 'update', row: 'bg-warn-soft', tone: 'text-warn' },
  remove: { sign: '−', word: 'remove', row: 'bg-bad-soft', tone: 'text-bad' },
  none: { sign: '=', word: 'unchanged', row: '', tone: 'text-ink-faint' },
} as const;

/** One policy of a plan with its changed fields. */
export function PlannedRow({ change }: { change: PlannedChange }): ReactNode {
  const { action, kind, name, path, adopt, detached, fields } = change;
  const look = looks[action];
  return (
    <li className="border-b border-line last:border-b-0">
      <div className={classNames('flex flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1.5', look.row)}>
        <span className={classNames('w-20 shrink-0 font-mono text-xs font-semibold', look.tone)}>
          <span aria-hidden>{look.sign} </span>
          {look.word}
        </span>
        <span className="min-w-0 break-words">
          {kind} <Visible text={name} className="font-semibold" />
        </span>
        {adopt && (
          <Badge tone="accent" title="Created in the dashboard. Code manages it after the apply.">
            adopt
          </Badge>
        )}
        {detached && (
          <Badge tone="bad" title="Detached from its file: the apply will be refused until it is attached.">
            detached
          </Badge>
        )}
        {path !== null && (
          <code className="ml-auto min-w-0 font-mono text-xs break-all text-ink-soft">
            <Visible text={path} />
          </code>
        )}
      </div>
      {fields.length > 0 && <Fields fields={fields} />}
    </li>
  );
}

function Fields({ fields }: Pick<PlannedChange, 'fields'>): ReactNode {
  return (
    <dl className="grid gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]">
      {fields.map(({ path, before, after }) => (
        <div key={path} className="contents">
          <dt className="font-mono text-xs leading-5 break-all text-ink-soft">
            <Visible text={fieldPath(path)} />
          </dt>
          <dd className="flex min-w-0 flex-col gap-0.5 font-mono text-xs leading-5">
            <del className="rounded-xs bg-bad-soft px-1.5 break-words whitespace-pre-wrap no-underline">
              <span aria-hidden>− </span>
              <bdi>{visiblePart(valueText(before))}</bdi>
            </del>
            <ins className="rounded-xs bg-good-soft px-1.5 break-words whitespace-pre-wrap no-underline">
              <span aria-hidden>+ </span>
              <bdi>{visiblePart(valueText(after))}</bdi>
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
