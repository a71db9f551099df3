import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/service.ts';
import { JsonView } from '../../content/json-view.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import { Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { appliedFiles, auditText, changedFields, changesText, revisionOf } from './audit-text.ts';

interface AuditEntriesProps {
  entries: readonly AuditEntry[];
  /** ID of the expanded entry. */
  open: string | null;
  dimmed: boolean;
  onOpen(id: string | null): void;
}

/** Audit log entries, newest first. One can be expanded. */
export function AuditEntries({ entries, open, dimmed, onOpen }: AuditEntriesProps): ReactNode {
  return (
    <ul aria-label="Audit log entries" className={classNames(dimmed && 'opacity-60')}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} open={entry.id === open} onOpen={(is) => onOpen(is ? entry.id : null)} />
      ))}
    </ul>
  );
}

function toneOf(kind: string): Tone {
  if (/failed|deleted|removed|revoked/.test(kind)) return 'bad';
  return /created|added|applied|attached|generated/.test(kind) ? 'good' : 'neutral';
}

/** The label of an entry's actor. */
function actorLabel({ actor }: AuditEntry): string {
  if (actor.type === 'system') return 'System';
  return actor.type === 'api_key' ? `API key ${actor.name ?? actor.id ?? ''}` : (actor.name ?? actor.id ?? 'Unknown');
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
        className="grid w-full grid-cols-[1rem_auto_minmax(0,1fr)] items-center gap-x-2 gap-y-1 px-3 py-1.5 text-left hover:bg-hover sm:grid-cols-[1rem_8rem_11rem_minmax(0,1fr)_minmax(0,1.5fr)]"
      >
        <Arrow className="size-4 text-ink-faint" aria-hidden />
        <span className="text-ink-soft">
          <Moment iso={entry.at} />
        </span>
        <span>
          <Badge tone={toneOf(entry.kind)}>{visibleText(entry.kind)}</Badge>
        </span>
        <VisibleLine text={actorLabel(entry)} className="max-sm:col-span-2 max-sm:col-start-2" />
        <VisibleLine text={auditText(entry)} className="text-ink-soft max-sm:col-span-2 max-sm:col-start-2" />
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
  const revision = revisionOf(entry);
  const files = appliedFiles(entry);
  const facts: ReadonlyArray<[string, string | null]> = [
    ['Entry', `#${entry.seq} (${entry.id})`],
    ['Actor', `${entry.actor.type}${entry.actor.id === null ? '' : ` ${entry.actor.id}`}`],
    ['Subject', entry.subject],
    ['Changed fields', changedFields(entry.detail)],
    ['Changes', entry.kind === 'policy.applied' ? changesText(entry.detail) : null],
    ['Project', entry.projectId === null ? null : (project?.name ?? entry.projectId)],
    ['Hash', entry.hash],
    ['Previous hash', entry.previousHash],
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
      {revision !== null && project && (
        <Link
          {...pages.policies({ org: organization.slug, project: project.slug })}
          search={{ view: 'revisions' as const, revision }}
          className="self-start text-xs text-accent hover:underline"
        >
          View policy revision {revision}
        </Link>
      )}
      {files.length > 0 && <AppliedFiles files={files} />}
      {Object.keys(entry.detail).length > 0 && <JsonView label="Entry details" value={entry.detail} />}
    </div>
  );
}

/** Applied files with their hashes, to compare with those in a repository (`sha256sum`). */
function AppliedFiles({ files }: { files: ReturnType<typeof appliedFiles> }): ReactNode {
  return (
    <div>
      <h3 className="text-xs text-ink-faint">Files and their SHA-256</h3>
      <ul aria-label="Applied files" className="scroll-thin max-h-48 overflow-auto" tabIndex={0}>
        {files.map(({ path, sha256 }) => (
          <li key={path} className="grid gap-x-3 font-mono text-xs sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
            <VisibleLine text={path} />
            <Visible text={sha256} className="break-all text-ink-faint" />
          </li>
        ))}
      </ul>
    </div>
  );
}
