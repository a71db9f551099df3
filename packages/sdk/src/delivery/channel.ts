import { maxBatchEvents } from '../batch.ts';
import type { Answer } from '../service.ts';

/** A line that the service rejected. */
export interface RejectedLine {
  /** Its place in the request, from 1. */
  line: number;
  code: string;
  error: string;
}

/** The results of the lines of a request. */
export interface LineResults {
  rejected: RejectedLine[];
  /** The value with which callers that wait for an accepted line are resolved. */
  result?: unknown;
}

/** A kind of request that carries queued lines. */
export interface Channel {
  /** Maximum lines of a request. */
  readonly maxLines: number;
  readonly contentType: string;
  /** Whether the service decompresses the bodies. */
  readonly takesGzip: boolean;
  /** The path of requests; the service's answer to the look-up of the path if that failed. */
  path(): Promise<string | Answer>;
  /** The text of a body before its lines, between them (one character) and after them. */
  readonly frame: readonly [before: string, between: string, after: string];
  /** Reads the body of an answer with status 2xx or 400. undefined: it is no answer about lines. */
  read(body: unknown): LineResults | undefined;
}

/** `POST /v1/ingest`. */
export const eventChannel: Channel = {
  maxLines: maxBatchEvents,
  contentType: 'application/x-ndjson',
  takesGzip: true,
  path: () => Promise.resolve('/v1/ingest'),
  frame: ['', '\n', '\n'],
  read: (body) => rejectedIn(body, 'line', 0),
};

/** `POST /v1/ingest/outcomes`. */
export const outcomeChannel: Channel = {
  maxLines: 100,
  contentType: 'application/json',
  takesGzip: false,
  path: () => Promise.resolve('/v1/ingest/outcomes'),
  frame: ['{"outcomes":[', ',', ']}'],
  read: (body) => rejectedIn(body, 'index', 1),
};

/**
 * `POST /v1/projects/{id}/changes`.
 *
 * @param projectId the project of the API key, or the answer that does not name it
 */
export function changeChannel(projectId: () => Promise<string | Answer>): Channel {
  return {
    maxLines: 1,
    contentType: 'application/json',
    takesGzip: false,
    path: async () => {
      const id = await projectId();
      return typeof id === 'string' ? `/v1/projects/${encodeURIComponent(id)}/changes` : id;
    },
    frame: ['', ',', ''],
    read: (body) => (isRecord(body) && typeof body['id'] === 'string' ? { rejected: [], result: body } : undefined),
  };
}

/** Longer explanations are cut. */
const maxErrorLength = 500;

function rejectedIn(body: unknown, place: string, first: number): LineResults | undefined {
  if (!isRecord(body) || !Array.isArray(body['rejected'])) return undefined;
  const rejected = body['rejected'].filter(isRecord).map((entry) => ({
    line: Number(entry[place]) + first,
    code: String(entry['code']),
    error: String(entry['error']).slice(0, maxErrorLength),
  }));
  return { rejected };
}

/** The error for an answer that is not in Spanwise's format, such as a proxy's. */
export const foreignAnswer = 'The answer is not one of Spanwise; check SPANWISE_URL, or the option baseUrl.';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
