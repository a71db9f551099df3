import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { BadgeCheck, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { packQuery, useVerifyPack } from '../../api/evidence-packs.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { EvidencePack } from '../../api/service.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatUtcDate } from '../../format/time-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { urlTo } from '../../api/operations.ts';
import { CheckResults } from './check-results.tsx';
import { PackControls } from './pack-controls.tsx';
import { PlanGate } from './plan-gate.tsx';

const from = '/o/$org/p/$project/compliance/$packId';

/** One evidence pack: its controls with their evidence, verification and downloads. */
export default function PackPage(): ReactNode {
  const { at } = useProject();
  const { packId } = useParams({ from });
  const trail = (
    <Link {...pages.compliance(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Compliance /
    </Link>
  );
  return (
    <Page title="Evidence pack" trail={trail} actions={<Downloads packId={packId} />}>
      <PlanGate>
        <Pack key={packId} packId={packId} />
      </PlanGate>
    </Page>
  );
}

function Pack({ packId }: { packId: string }): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(packQuery(projectId, packId));
  const failure = failureOf(query);
  if (failure) {
    return (
      <Failure
        error={failure}
        what="Evidence pack"
        back={<BackLink {...pages.compliance(at)}>Back to compliance</BackLink>}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!query.data) return <PageSkeleton />;
  return (
    <>
      <Facts pack={query.data} />
      <Verification packId={packId} />
      <PackControls controls={query.data.controls} />
    </>
  );
}

const formats = [
  ['json', 'JSON'],
  ['dsse', 'DSSE'],
  ['html', 'HTML'],
] as const;

function Downloads({ packId }: { packId: string }): ReactNode {
  const { projectId, organization, can } = useProject();
  // Loaded by the page; without the pack there is nothing to download.
  const { data: pack } = useQuery({ ...packQuery(projectId, packId), enabled: false });
  if (!pack || !can('compliance:read') || organization.plan === 'free') return null;
  return formats.map(([format, title]) => (
    <a
      key={format}
      href={urlTo('/v1/projects/{id}/evidence-packs/{packId}/download', { id: projectId, packId, format })}
      download
      className={buttonClass()}
      aria-label={`Download ${title}`}
    >
      <Download aria-hidden />
      {title}
    </a>
  ));
}

function Facts({ pack }: { pack: EvidencePack }): ReactNode {
  const { audit } = pack;
  const codes: ReadonlyArray<[string, string]> = [
    ['SHA-256', pack.sha256],
    ['Public key', pack.publicKey],
  ];
  return (
    <Card title={`SOC 2, ${formatUtcDate(pack.from.slice(0, 10))} to ${formatUtcDate(pack.to.slice(0, 10))}`}>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2">
        <dt className="text-ink-faint">Generated</dt>
        <dd className="flex min-w-0 flex-wrap gap-x-2">
          <Moment iso={pack.createdAt} /> by <VisibleLine text={pack.createdBy} />
        </dd>
        <dt className="text-ink-faint">Audit log</dt>
        <dd>
          {audit.entries === 0 ? 'No entries in the range' : `${audit.entries} entries, ${audit.from.seq} to ${audit.to.seq}`}
        </dd>
        {codes.map(([name, code]) => (
          <div key={name} className="contents">
            <dt className="self-center text-ink-faint">{name}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              <code className="font-mono text-xs break-all">{code}</code>
              <CopyButton text={code} label={`Copy ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Verification({ packId }: { packId: string }): ReactNode {
  const { projectId } = useProject();
  const verify = useVerifyPack(projectId, packId);
  return (
    <Card
      title="Verification"
      aside={
        <Button busy={verify.isPending} onClick={() => verify.mutate()}>
          <BadgeCheck aria-hidden />
          Verify now
        </Button>
      }
    >
      <div className="p-3">
        {verify.error ? (
          <p role="alert" className="text-bad">
            {verify.error.message}
          </p>
        ) : verify.data ? (
          <CheckResults verification={verify.data} />
        ) : (
          <p className="text-ink-soft">Checks the stored pack, its signature, and the whole audit log.</p>
        )}
      </div>
    </Card>
  );
}
