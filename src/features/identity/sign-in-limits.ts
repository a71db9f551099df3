import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock/clock.ts';
import { rateOf, turnsOf } from '../../platform/budgets/index.ts';
import type { Turns } from '../../platform/budgets/index.ts';
import type { BucketStore } from '../../platform/rate-limit/index.ts';
import { FailedCredentials } from './failed-credentials.ts';
import { HeldBack } from './held-back.ts';
import { KnownBrowsers } from './known-browsers.ts';

/** What limits those who give passwords and other credentials. */
export interface SignInLimits {
  /** Checks of a password in progress, by address. */
  turns: Turns;
  failedCredentials: FailedCredentials;
  browsers: KnownBrowsers;
  /** For those who are refused. */
  heldBack: HeldBack;
  /** Attempts that are answered and still being recorded. */
  recording: Set<Promise<void>>;
  /** Tells the operator of a failed sign-in that could not be recorded. */
  onUnrecorded(error: unknown): void;
}

/** What the limits use of the platform. A command or a test that has none counts alone. */
export interface SignInPlatform {
  /** Null: this process counts alone. */
  buckets: BucketStore | null;
  log: Pick<Logger, 'warn' | 'error'>;
  /** The installation's secret. */
  secret: string;
  /** How long the answers to refused callers are held back, in milliseconds of real time. Default: not. */
  holdRefusedMs: number;
}

export function signInLimits(clock: Clock, platform: Partial<SignInPlatform>): SignInLimits {
  const { buckets = null, log, secret = randomBytes(32).toString('hex'), holdRefusedMs = 0 } = platform;
  const heldBack = new HeldBack(holdRefusedMs);
  return {
    turns: turnsOf('signIns'),
    heldBack,
    failedCredentials: new FailedCredentials(
      rateOf({ buckets, clock, log: log ?? { warn: () => undefined } }, 'failedCredentials'),
    ),
    browsers: new KnownBrowsers(secret),
    recording: new Set(),
    onUnrecorded: (error) => log?.error({ err: error }, 'a failed sign-in could not be recorded in the audit log'),
  };
}
