import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { findingsQuery } from '../../api/model-lifecycle.ts';
import { modelsQuery } from '../../api/models.ts';
import type { ListedModel } from '../../api/parts.ts';
import type { Finding } from '../../api/service.ts';
import { bands, bandTitles } from '../../content/lifecycle-words.ts';
import { Card } from '../../design/card.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { DismissFinding } from './dismiss-finding.tsx';
import { FindingRow } from './finding-row.tsx';

/** The figures of a finding are of 30 days, and so are those of its replacement. */
const comparedRange = { range: '30d' } as const;

/** Findings by band, the nearest first, and dismissed ones. */
export function FindingsTab(): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(findingsQuery(projectId));
  const { data: called } = useQuery(modelsQuery(projectId, comparedRange));
  const [dismissing, setDismissing] = useState<Finding | null>(null);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) {
    return (
      <div className="p-4">
        <PageSkeleton />
      </div>
    );
  }
  const { findings, scannedAt } = query.data;
  const open = findings.filter(({ state }) => state === 'open');
  const dismissed = findings.filter(({ state }) => state === 'dismissed');
  const groupOf = (title: string, group: readonly Finding[]) =>
    group.length > 0 && <Group key={title} title={title} findings={group} models={called?.models} onDismiss={setDismissing} />;
  return (
    <div className="scroll-thin h-full overflow-auto" tabIndex={0} role="group" aria-label="Findings">
      <div className="flex flex-col gap-3 p-4">
        {open.length === 0 && <NoFindings isScanned={scannedAt !== null} />}
        {bands.map((band) =>
          groupOf(
            bandTitles[band],
            open.filter((finding) => finding.band === band),
          ),
        )}
        {groupOf('Dismissed', dismissed)}
        {findings.length > 0 && <LookedAt />}
      </div>
      {dismissing && <DismissFinding finding={dismissing} onClose={() => setDismissing(null)} />}
    </div>
  );
}

interface GroupProps {
  title: string;
  findings: readonly Finding[];
  /** Undefined while they load. */
  models: readonly ListedModel[] | undefined;
  onDismiss(finding: Finding): void;
}

function Group({ title, findings, models, onDismiss }: GroupProps): ReactNode {
  return (
    <Card title={title} aside={<span className="text-xs text-ink-faint">{countedExactly(findings.length, 'model')}</span>}>
      <ul aria-label={title}>
        {findings.map((finding) => (
          <FindingRow key={finding.id} finding={finding} models={models} onDismiss={() => onDismiss(finding)} />
        ))}
      </ul>
    </Card>
  );
}

function NoFindings({ isScanned }: { isScanned: boolean }): ReactNode {
  if (!isScanned) {
    return (
      <Empty title="Not scanned yet">
        The first scan runs within minutes. It compares the models called in the last 30 days with a catalogue of retirement
        dates.
      </Empty>
    );
  }
  return (
    <Empty title="No called model is retired soon">
      Once a day, the models called in the last 30 days are compared with the catalogue. Those whose provider retires them within
      90 days, or has retired them, are listed here. Set a date in the catalogue for models that it doesn&apos;t have.
    </Empty>
  );
}

function LookedAt(): ReactNode {
  return (
    <p className="text-xs text-ink-faint">
      Compared once a day: the models called in the last 30 days, with the catalogue. Calls, costs and agents are those of the
      last scan.
    </p>
  );
}
