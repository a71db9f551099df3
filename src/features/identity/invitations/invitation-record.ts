import type { Role } from '../../../contract/permissions.ts';

/** An invitation as the API shows it, without its link. */
export interface InvitationRecord {
  id: string;
  email: string;
  role: Role;
  createdAt: string;
  expiresAt: string;
  /** What became of the mail with the link; `none`: no mail is sent. */
  mail: 'none' | 'waiting' | 'sent' | 'failed';
}

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  token_sha256: Buffer | null;
  created_at: Date;
  expires_at: Date;
  mail_due_at: Date | null;
  mail_attempts: number;
}

/** The record of a row. */
export function invitationRecord(row: InvitationRow): InvitationRecord {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    mail: mailOf(row),
  };
}

function mailOf(row: InvitationRow): InvitationRecord['mail'] {
  if (row.mail_due_at !== null) return 'waiting';
  if (row.mail_attempts === 0) return 'none';
  return row.token_sha256 === null ? 'failed' : 'sent';
}
