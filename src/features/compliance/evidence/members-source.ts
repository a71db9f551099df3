import { sql } from 'kysely';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { PackScope, SnapshotSource } from './evidence-source.ts';
import type { EvidenceRecord } from './population.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

interface Member extends EvidenceRecord {
  userId: string;
  email: string;
  role: string;
}

interface MemberEntry {
  kind: string;
  subject: string | null;
  detail: string;
}

/** The members at the end of the range: those of today, with the entries of the audit log since then undone. */
export const members: SnapshotSource = {
  from: 'snapshot',
  covers: 'end',
  order: 'email, userId',
  description:
    "The organization's members and their roles at the end of the range, from today's list and the audit log. Does not show whether they still need access.",
  read: membersAt,
};

async function membersAt(transaction: Transaction, { organizationId, toMs }: PackScope): Promise<readonly Member[]> {
  const today = await sql<Member>`SELECT user_id AS "userId", email, role FROM memberships JOIN users ON users.id = user_id
    WHERE organization_id = ${organizationId}::uuid`.execute(transaction);
  const since = await sql<MemberEntry>`SELECT kind, subject, detail FROM audit_entries
    WHERE organization_id = ${organizationId}::uuid AND kind IN ('member.added', 'member.removed', 'member.role_changed')
      AND at > ${new Date(toMs)}::timestamptz ORDER BY seq DESC`.execute(transaction);
  const byId = new Map(today.rows.map((member) => [member.userId, member]));
  for (const entry of since.rows) undo(byId, entry);
  return [...byId.values()].sort(
    (left, right) => compareCodePoints(left.email, right.email) || compareCodePoints(left.userId, right.userId),
  );
}

function undo(members: Map<string, Member>, { kind, subject, detail }: MemberEntry): void {
  if (subject === null) return;
  const { email = '', role = '', from = '' } = JSON.parse(detail) as { email?: string; role?: string; from?: string };
  if (kind === 'member.added') members.delete(subject);
  else members.set(subject, { userId: subject, email, role: kind === 'member.removed' ? role : from });
}
