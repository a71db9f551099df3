import { z } from 'zod';
import { timestamp } from './common.ts';

const count = z.number().int();

/** What the deletion of a user's data deleted (docs/semantics.md, "Deletion of user data"). */
export const userDataReceipt = z.object({
  userIdSha256: z.string().describe('of the user id in UTF-8, hexadecimal'),
  traces: count,
  spans: count,
  scores: count,
  outcomes: count,
  until: timestamp.describe('from when on no backup that the service knows of and no log shows them, as far as known'),
  sha256: z.string().describe('of the other fields in the form of RFC 8785 (JCS), hexadecimal'),
});
export type UserDataReceipt = z.output<typeof userDataReceipt>;
