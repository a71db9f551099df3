import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/wire.ts';
import { JsonView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import { Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

interface AuditEntriesProps {
  entries: readonly AuditEntry[];
  /** The id of the entry that is open. */
  open: string | null;
  dimmed: boolean;
  onOpen(id: string | null): void;
}

/** Entries, newest first; one of them can be opened. */
export function AuditEntries({ entries, open, dimmed, onOpen }: AuditEntriesProps): ReactNode {
  return (
    <ul aria-label="Entries of the audit log" className={classNames(dimmed && 'opacity-60')}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} open={entry.id === open} onOpen={(is) => onOpen(is ? entry.id : null)} />
      ))}
    </ul>
  );
}

function toneOf(kind: string): Tone {
  if (/failed|deleted|removed|revoked/.test(kind)) return 'bad';
  return /created|added|applied|generated/.test(kind) ? 'good' : 'neutral';
}

/** Who did it. */
function actorWords({ actor }: AuditEntry): string {
  if (actor.type === 'system') return 'the service';
  return actor.type === 'api_key' ? `key ${actor.name ?? actor.id ?? ''}` : (actor.name ?? actor.id ?? 'somebody');
}

function Entry({ entry, open, onOpen }: { entry: AuditEntry; open: boolean; onOpen(open: boolean): void }): ReactNode {
  const id = useId();
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
        className="grid w-full grid-cols-[1rem_9.5rem_11rem_minmax(0,1fr)_minmax(0,1fr)] items-center gap-2 px-3 py-1.5 text-left hover:bg-hover"
      >
        <Arrow className="size-4 text-ink-faint" aria-hidden />
        <span className="text-ink-soft">
          <Moment iso={entry.at} />
        </span>
        <span>
          <Badge tone={toneOf(entry.kind)}>{visibleText(entry.kind)}</Badge>
        </span>
        <VisibleLine text={actorWords(entry)} />
        <VisibleLine text={entry.subject ?? ''} className="text-ink-soft" />
      </button>
      {open && (
        <div id={id} className="bg-canvas px-3 pt-1 pb-3">
          <Detail entry={entry} />
        </div>
      )}
    </li>
  );
}

function Detail({ entry }: { entry: AuditEntry }): ReactNode {
  const { organization } = useProject();
  const project = organization.projects.find(({ id }) => id === entry.projectId);
  const facts: ReadonlyArray<[string, string | null]> = [
    ['Entry', `number ${entry.seq}, ${entry.id}`],
    ['Actor', `${entry.actor.type}${entry.actor.id === null ? '' : `, ${entry.actor.id}`}`],
    ['Subject', entry.subject],
    ['Project', entry.projectId === null ? null : (project?.name ?? entry.projectId)],
    ['Hash', entry.hash],
    ['Hash of the one before', entry.previousHash],
  ];
  return (
    <div className="flex flex-col gap-2 pl-6">
      <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
        {facts.map(
          ([label, value]) =>
            value !== null && (
              <div key={label} className="contents">
                <dt className="text-ink-faint">{label}</dt>
                <dd className="font-mono break-all">
                  <Visible text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {Object.keys(entry.detail).length > 0 && <JsonView label="Detail of the entry" value={entry.detail} />}
    </div>
  );
}
