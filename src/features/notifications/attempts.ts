import { z } from 'zod';
import type { Delivery } from '../../contract/notifications.ts';

type Attempt = Delivery['attempts'][number];

/** Attempts that a delivery keeps; it can be sent again without end. */
const maxAttemptsKept = 100;

const attemptList: z.ZodType<Attempt[]> = z.array(
  z.object({ at: z.string(), statusCode: z.number().nullable(), error: z.string().nullable() }),
);

/** The stored form of attempts with one more. */
export function withAttempt(history: string | null, attempt: Attempt): string {
  return JSON.stringify([...readAttempts(history ?? '[]'), attempt].slice(-maxAttemptsKept));
}

/** Stored attempts, the oldest first. */
export function readAttempts(history: string): Attempt[] {
  return attemptList.parse(JSON.parse(history));
}
