import type { NotificationType } from '../../../contract/notifications.ts';
import type { DeliveryJob } from '../delivery-jobs.ts';

/** A delivery with what it announces. */
export interface SentDelivery {
  job: DeliveryJob;
  type: NotificationType;
  incidentId: string | null;
  body: string;
  createdAtMs: number;
}

/** How an attempt ended. `gone`: the receiver wants no more deliveries. `refused`: the service does not send it, now or later. */
export interface AttemptResult {
  verdict: 'delivered' | 'again' | 'gone' | 'refused';
  /** null: no answer came, or the channel is email. */
  statusCode: number | null;
  error: string | null;
}

/** An attempt that is made again later. */
export function failedAttempt(error: string, statusCode: number | null = null): AttemptResult {
  return { verdict: 'again', statusCode, error };
}
