import { ServiceError } from '../../contract/errors.ts';
import { ByteBudget } from './byte-budget.ts';
import type { ByteLimits } from './byte-budget.ts';
import { Turns } from './turns.ts';
import type { TurnLimits } from './turns.ts';

const mebibyte = 1_048_576;

/**
 * The work that callers can cause, and how much of each kind one process does at a time: who waits, and who is refused. `OfOne` is of a project, where
 * the comment names no other key. Requests are limited by rate too: `rates.ts`.
 */
export const turnLimits = {
  /** Sign-ins and other checks of a password, by address: each holds the hash's 19 MiB. */
  signIns: { running: 4, waiting: 20, waitingOfOne: 10 },
  /** Reads of the embedded ClickHouse. As many connections are open. Reads of jobs count as those of one project. */
  reads: { running: 4, runningOfOne: 3, waiting: 200, waitingOfOne: 100, waitMs: 20_000 },
  /** Reads of a ClickHouse server. */
  serverReads: { running: 8, runningOfOne: 6, waiting: 200, waitingOfOne: 100, waitMs: 20_000 },
  /** Queries of metrics, each of several reads. */
  metricQueries: { running: 64, runningOfOne: 4, waiting: 512, waitingOfOne: 8 },
  /** Batches to insert into ClickHouse, and statements of jobs; each kind has one connection, and no key. */
  statements: { running: 1, waiting: 200 },
  /** Questions to models of evaluations and batch runs. */
  questions: { running: 32, runningOfOne: 8, waiting: 400, waitingOfOne: 100 },
  /** Questions that a request waits for. Judges that hang in seven projects leave places for others. */
  urgentQuestions: { running: 256, runningOfOne: 32, waiting: 800, waitingOfOne: 100 },
  /** Items of batch runs. Each may hold an input and an answer of 4 MiB. */
  batchItems: { running: 128, runningOfOne: 64, waiting: 1_000 },
  /** Long texts that are checked by guardrails, each in a thread; as many run as there are threads. */
  textChecks: { running: 2, waiting: 400, waitingOfOne: 200 },
  /** Pieces of shared traces, each written in a thread. */
  sharedTraces: { running: 1, waiting: 200, waitingOfOne: 100, waitMs: 20_000 },
  /** Requests whose policy files are read or written, each in a thread for at most 5 s. */
  policyReads: { running: 2, runningOfOne: 1, waiting: 38, waitingOfOne: 19 },
  /** Configurations of guardrails that are compiled in a thread. */
  guardrailCompilations: { running: 1, waiting: 18, waitingOfOne: 9 },
  /** Evidence packs that are generated or verified. */
  evidencePacks: { running: 1, waiting: 19 },
  /** Bodies of JSON above 16 KiB that this thread parses, by caller: one each time that it looks for other work. */
  jsonBodies: { running: 1, waiting: 1_000, waitingOfOne: 200 },
  /** Bodies of JSON that a thread parses. */
  largeBodies: { running: 1, waiting: 200, waitingOfOne: 50 },
} as const satisfies Record<string, TurnLimits>;

export const byteLimits = {
  /** Bodies of ingestion, sent and inflated. */
  ingestBodies: { total: 256 * mebibyte },
  /** Answers that wait for their clients, by caller. */
  unreadAnswers: { total: 256 * mebibyte, ofOne: 128 * mebibyte },
  /** Other bodies, by caller. */
  requestBodies: { total: 256 * mebibyte, ofOne: 128 * mebibyte },
  /** Answers of model servers, targets and webhooks that are being received, with 400 bytes for each piece. */
  answers: { total: 256 * mebibyte, ofOne: 128 * mebibyte },
} as const satisfies Record<string, ByteLimits>;

/** What the refused are told, where no error of a feature says it. */
const refusals = {
  signIns: 'Too many sign-ins at once; wait a moment and try again.',
  reads: 'Too many queries are waiting; try again in a few seconds.',
  serverReads: 'Too many queries are waiting; try again in a few seconds.',
  metricQueries: 'Too many queries of this project are waiting; try again once some have ended.',
  statements: 'Too many queries are waiting; try again in a few seconds.',
  policyReads: 'The service is reading as many policy files as it can; send this again.',
  guardrailCompilations: 'The service is checking as many guardrails as it can; send this again.',
  sharedTraces: 'Many people are opening shared traces now; try again in a moment.',
  evidencePacks: 'Many evidence packs are generated and verified now; send this again in a moment.',
  answers: 'The service is receiving as many answers as it can hold; send this again in a moment.',
  ingestBodies: 'The service is processing as many requests as it can hold; send this again in a moment.',
  jsonBodies: 'The service is reading as many requests as it can; send this again in a moment.',
  largeBodies: 'The service is reading as many large requests as it can; send this again in a moment.',
  unreadAnswers: 'Many large answers wait to be read; read those that you asked for, and send this again in a moment.',
  requestBodies: 'The service is processing as many large requests as it can hold; send this again in a moment.',
} as const satisfies Partial<Record<keyof typeof turnLimits | keyof typeof byteLimits, string>>;

/** Seconds after which a refused caller may try again. */
const retryAfterSeconds: Partial<Record<keyof typeof refusals, number>> = {
  reads: 2,
  serverReads: 2,
  metricQueries: 2,
  statements: 2,
  unreadAnswers: 5,
  policyReads: 5,
  guardrailCompilations: 5,
  evidencePacks: 5,
};

function refusalOf(kind: keyof typeof refusals): ServiceError {
  const code = kind === 'signIns' || kind === 'metricQueries' ? 'rate_limited' : 'unavailable';
  return new ServiceError(code, refusals[kind], { retryAfterSeconds: retryAfterSeconds[kind] ?? 1 });
}

/** Turns of one kind of work, with its limits. Errors of `run`: `unavailable` (`rate_limited` for sign-ins and queries of metrics), with `Retry-After`. */
export function turnsOf(kind: keyof typeof turnLimits & keyof typeof refusals): Turns {
  return new Turns(turnLimits[kind], { busy: () => refusalOf(kind) });
}

/** Bytes of one kind, with their limits. @param atLeast a larger total. Errors of `take`: `unavailable`, with `Retry-After`. */
export function bytesOf(kind: keyof typeof byteLimits, atLeast = 0): ByteBudget {
  const limits: ByteLimits = byteLimits[kind];
  return new ByteBudget({ ...limits, total: Math.max(limits.total, atLeast) }, () => refusalOf(kind));
}
