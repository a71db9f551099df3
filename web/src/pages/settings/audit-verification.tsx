import { CircleAlert, CircleCheck, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useVerifyAuditLog } from '../../api/audit.ts';
import { Button } from '../../design/button.tsx';
import { formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';

/** Has the service check the chain of hashes, and says whether it holds or where it breaks. */
export function AuditVerification(): ReactNode {
  const { organization } = useProject();
  const verify = useVerifyAuditLog(organization.id);
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      <span role="status" className="text-xs">
        <Outcome verify={verify} />
      </span>
      <Button size="small" busy={verify.isPending} onClick={() => verify.mutate()}>
        <ShieldCheck aria-hidden />
        Verify
      </Button>
    </span>
  );
}

function Outcome({ verify: { data, error, isPending } }: { verify: ReturnType<typeof useVerifyAuditLog> }): ReactNode {
  if (isPending) return <span className="text-ink-faint">Reading every entry…</span>;
  if (error) return <span className="text-bad">{error.message}</span>;
  if (!data) return null;
  if (data.valid) {
    return (
      <span className="flex items-center gap-1 text-good">
        <CircleCheck className="size-4" aria-hidden />
        Valid: {formatExact(data.entries)} entries are there, in their place and unchanged
      </span>
    );
  }
  return (
    <span className="flex items-center gap-1 font-medium text-bad">
      <CircleAlert className="size-4" aria-hidden />
      Broken{data.brokenAt === null ? '' : ` at entry number ${formatExact(data.brokenAt)}`}: it was changed, or is not there
    </span>
  );
}
