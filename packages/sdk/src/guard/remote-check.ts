import { foreignAnswer, isRecord } from '../delivery/channel.ts';
import type { Service } from '../service.ts';
import type { CheckAnswer, CheckStage } from './wire.ts';

/** What `POST /v1/guardrails/check` takes. */
export interface RemoteRequest {
  text: string;
  stage: CheckStage;
  environment: string | undefined;
  guardrails: readonly string[] | undefined;
  final: boolean;
  traceId: string | undefined;
  parentSpanId: string | undefined;
  /** false: the check is part of one in the application, whose report counts it. Default: true. */
  count?: boolean;
}

/** The service does not answer now. */
export class Unavailable extends Error {}

/** Judges have so long, which is the default limit of a client too. */
const judgeMs = 10_000;
/** So long a client waits for them, unless it has a limit below theirs. */
const judgedMs = 15_000;

/**
 * Asks the service to check a text.
 *
 * Errors: {@link Unavailable}, also where something else than Spanwise answers; an error in the service's words for a request that it refuses, such as one that names an unknown guardrail.
 */
export async function checkRemotely(service: Service, request: RemoteRequest): Promise<CheckAnswer> {
  const asked = service.request('/v1/guardrails/check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    timeoutMs: service.timeoutMs < judgeMs ? service.timeoutMs : judgedMs,
  });
  const { status, body } = await asked.catch((error: unknown) => {
    throw new Unavailable((error as Error).message, { cause: error });
  });
  if (status === 200) {
    if (isCheckAnswer(body)) return body;
    throw new Unavailable(foreignAnswer);
  }
  if (!isRecord(body) || typeof body['error'] !== 'string') throw new Unavailable(`The service answered ${status}.`);
  if (status === 400 || status === 413) throw new TypeError(body['error']);
  throw new Unavailable(body['error']);
}

/** A proxy that answers for the service must not let a text pass. */
function isCheckAnswer(body: unknown): body is CheckAnswer {
  return (
    isRecord(body) &&
    typeof body['action'] === 'string' &&
    typeof body['text'] === 'string' &&
    typeof body['safeUntil'] === 'number' &&
    Array.isArray(body['results'])
  );
}
