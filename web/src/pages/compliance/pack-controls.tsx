import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { Evidence, PackControl } from '../../api/service.ts';
import { JsonView } from '../../content/json-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { evidenceTitle, statusCounts, statusMeanings, statusTones } from './pack-words.ts';

/** The controls of a pack. One with evidence can be expanded. */
export function PackControls({ controls }: { controls: readonly PackControl[] }): ReactNode {
  return (
    <Card title="Controls" aside={<span className="text-xs text-ink-faint">{statusCounts(controls)}</span>}>
      <ul aria-label="Controls">
        {controls.map((control) => (
          <ControlRow key={control.controlId} control={control} />
        ))}
      </ul>
    </Card>
  );
}

const rowGrid =
  'grid w-full grid-cols-[1rem_3.5rem_minmax(0,1fr)] items-baseline gap-x-2 gap-y-0.5 px-3 py-1.5 text-left sm:grid-cols-[1rem_3.5rem_minmax(0,1fr)_7rem_6rem]';

function ControlRow({ control: { controlId, title, status, evidence } }: { control: PackControl }): ReactNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  const Arrow = open ? ChevronDown : ChevronRight;
  const records = evidence.reduce((sum, { count }) => sum + count, 0);
  const cells = (
    <>
      <span className="font-mono text-xs text-ink-soft">{controlId}</span>
      <span className="[overflow-wrap:anywhere]">{title}</span>
      <span className="text-xs text-ink-faint max-sm:col-start-3 sm:text-right">
        {records === 0 ? '' : countedExactly(records, 'record')}
      </span>
      <span className="max-sm:col-start-3">
        <Badge tone={statusTones[status]} title={statusMeanings[status]}>
          {status}
        </Badge>
      </span>
    </>
  );
  return (
    <li className="border-b border-line last:border-b-0">
      {evidence.length === 0 ? (
        <div className={rowGrid}>
          <span />
          {cells}
        </div>
      ) : (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className={`${rowGrid} hover:bg-hover`}
        >
          <Arrow className="size-4 self-center text-ink-faint" aria-hidden />
          {cells}
        </button>
      )}
      {open && (
        <div id={id} className="flex flex-col gap-3 bg-canvas px-3 py-3 sm:pl-9">
          {evidence.map((one) => (
            <EvidencePart key={one.type} evidence={one} />
          ))}
        </div>
      )}
    </li>
  );
}

function EvidencePart({ evidence: { type, description, count, sha256, sample } }: { evidence: Evidence }): ReactNode {
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium">
        {evidenceTitle(type)} <span className="text-xs font-normal text-ink-faint">{countedExactly(count, 'record')}</span>
      </h3>
      <p className="max-w-prose text-ink-soft">{description}</p>
      <p className="flex min-w-0 items-center gap-1 text-xs text-ink-faint">
        <span className="shrink-0">SHA-256 of all records</span>
        <code className="font-mono break-all">{sha256}</code>
        <CopyButton text={sha256} label={`Copy SHA-256 of ${evidenceTitle(type)}`} />
      </p>
      <JsonView label={`${evidenceTitle(type)}, records`} value={sample} />
    </section>
  );
}
