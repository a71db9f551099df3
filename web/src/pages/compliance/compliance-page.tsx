import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { packsQuery } from '../../api/evidence-packs.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { ListedPack } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatUtcDate } from '../../format/time-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { GeneratePack } from './generate-pack.tsx';
import { statusCounts } from './pack-words.ts';
import { PlanGate } from './plan-gate.tsx';
import { VerifyFile } from './verify-file.tsx';

/** The evidence packs of a project. */
export default function CompliancePage(): ReactNode {
  const { organization, can } = useProject();
  const [generating, setGenerating] = useState(false);
  const mayGenerate = can('compliance:generate') && organization.plan !== 'free';
  return (
    <Page
      title="Compliance"
      actions={
        mayGenerate && (
          <Button look="primary" onClick={() => setGenerating(true)}>
            <Plus aria-hidden />
            Generate pack
          </Button>
        )
      }
    >
      <PlanGate>
        <Packs />
        <VerifyFile />
      </PlanGate>
      {generating && <GeneratePack onClose={() => setGenerating(false)} />}
    </Page>
  );
}

function Packs(): ReactNode {
  const { projectId } = useProject();
  const query = useInfiniteQuery(packsQuery(projectId));
  const packs = query.data?.pages.flatMap((page) => page.evidencePacks) ?? [];
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <ListSkeleton />;
  if (packs.length === 0) {
    return (
      <Empty title="No evidence packs yet">
        A pack is a signed document for auditors: for each SOC 2 control, the records of a time range that show it, with counts
        and hashes. Admins and owners generate packs.
      </Empty>
    );
  }
  return (
    <Card title="Evidence packs">
      <ul aria-label="Evidence packs">
        {packs.map((pack) => (
          <PackRow key={pack.id} pack={pack} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button className="m-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older packs
        </Button>
      )}
    </Card>
  );
}

function PackRow({ pack }: { pack: ListedPack }): ReactNode {
  const { at } = useProject();
  return (
    <li className="grid gap-x-4 gap-y-0.5 border-b border-line px-3 py-2 last:border-b-0 sm:grid-cols-[minmax(15rem,1fr)_minmax(0,1.2fr)_minmax(0,1fr)_9rem]">
      <Link {...pages.evidencePack(at, pack.id)} className="font-medium hover:text-accent hover:underline">
        SOC 2, {formatUtcDate(pack.from.slice(0, 10))} to {formatUtcDate(pack.to.slice(0, 10))}
      </Link>
      <span className="text-ink-soft">{statusCounts(pack.controls)}</span>
      <VisibleLine text={pack.createdBy} className="text-ink-soft" />
      <span className="text-ink-faint sm:text-right">
        <Moment iso={pack.createdAt} />
      </span>
    </li>
  );
}
