import { CircleAlert, CircleCheck, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useVerifyAuditLog } from '../../api/audit.ts';
import { Button } from '../../design/button.tsx';
import { formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';

/** Verifies the hash chain of the audit log and shows the result. */
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
  if (isPending) return <span className="text-ink-faint">Verifying…</span>;
  if (error) return <span className="text-bad">{error.message}</span>;
  if (!data) return null;
  if (data.valid) {
    return (
      <span className="flex items-center gap-1 text-good">
        <CircleCheck className="size-4" aria-hidden />
        Valid: {formatExact(data.entries)} entries verified
      </span>
    );
  }
  return (
    <span className="flex items-center gap-1 font-medium text-bad">
      <CircleAlert className="size-4" aria-hidden />
      Invalid{data.brokenAt === null ? '' : `: entry #${formatExact(data.brokenAt)} was changed or is missing`}
    </span>
  );
}
