import type { Clock } from '../../platform/clock/clock.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Mailer, MailRecipients } from '../../platform/mail/index.ts';
import type { HttpClient } from '../../platform/net/index.ts';
import type { DeliveryJobs } from './delivery-jobs.ts';
import type { ReceiverTurns } from './sending/receiver-turns.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Dependencies of the verbs. */
export interface NotificationsContext {
  db: Database;
  clock: Clock;
  /** For the secrets of webhooks; the owner of a sealed secret is the channel's id. */
  box: SecretBox;
  jobs: DeliveryJobs;
  /** Reaches what the operator allows. */
  http: Pick<HttpClient, 'checkUrl' | 'request'>;
  /** Reaches public addresses alone: for webhooks that no owner or admin saved. */
  publicHttp: Pick<HttpClient, 'checkUrl' | 'request'>;
  /** null: the settings for mail are missing. */
  mailer: Pick<Mailer, 'send'> | null;
  /** The settings that email channels lack; empty if there is a mailer. */
  missingMailSettings: readonly string[];
  /** Who may get mail. */
  mailRecipients: MailRecipients;
  /** Time limit of a webhook's request, in milliseconds. */
  timeoutMs: number;
  /** How long an attempt waits for others at its receiver before it is put off, in milliseconds. */
  turnMs: number;
  turns: ReceiverTurns;
  /** Maximum deliveries of a project that are not delivered or failed. */
  maxUnfinished: number;
  publicOrigin(): string;
  /** Counts an attempt. */
  counted(channel: 'webhook' | 'email', outcome: 'delivered' | 'retry' | 'failed'): void;
}
