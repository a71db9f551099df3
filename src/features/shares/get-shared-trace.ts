import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { jsonList } from '../../platform/json/index.ts';
import type { OpenedTrace } from '../traces/index.ts';
import { findShare, noSharedTrace } from './find-share.ts';
import type { FoundShare } from './find-share.ts';
import { sharedSpanOf, sharedTraceOf } from './shown/shared-fields.ts';
import type { SharedRecord } from './shown/shared-fields.ts';
import { ShownIds } from './shown/shown-ids.ts';
import type { SharesContext } from './shares-context.ts';

/** Bytes of payloads that are read of one trace. */
const mostReadBytes = 64_000_000;
/** Characters of payloads that are shown of one trace. */
const mostShown = 4 * 1_048_576;
/** Characters of the records that the thread writes at a time, so that visitors take turns. */
const pieceLength = 1_048_576;
const pieceRecords = 500;

/**
 * The trace that a link shows, as a stream of JSON text (docs/semantics.md, "Shared links"): the fields that `shared-fields.ts` lists and nothing else. A thread cuts,
 * redacts and writes the texts.
 *
 * @param isView whether it is counted
 *
 * Errors: `not_found`, the same for every link that shows nothing; `unavailable` when too many are being opened. Thrown before the stream starts.
 */
export async function getSharedTrace(context: SharesContext, token: string, { isView }: { isView: boolean }): Promise<Readable> {
  const share = await findShare(context, token);
  const { tenant, payloads, redact } = share;
  const trace = await openShared(context, share);
  const redaction = redact ? await context.redactionOf(tenant.projectId) : null;
  const ids = new ShownIds(
    redaction ? await context.texts.ids(tenant.projectId, redaction, idsToCheck(share, trace)) : new Map(),
  );
  const state = { left: mostShown, cut: trace.truncated };
  const write = async (records: readonly SharedRecord[]) => {
    const written = await context.texts.write(tenant.projectId, redaction, records, Math.max(0, state.left));
    state.left -= written.shown;
    state.cut ||= written.cut;
    return written.texts;
  };
  const [head = '{}'] = await write([sharedTraceOf(trace, payloads, ids)]);
  if (isView)
    await context.db
      .updateTable('shares')
      .set((set) => ({ views: set('views', '+', 1) }))
      .where('id', '=', share.id)
      .execute();
  const spans = async function* (): AsyncGenerator<string[]> {
    for await (const group of trace.spans(mostReadBytes)) {
      for (const piece of piecesOf(group.map((span) => sharedSpanOf(span, payloads, ids)))) yield await write(piece);
    }
  };
  const ending = () => `],"expiresAt":${JSON.stringify(share.expiresAt)}${state.cut ? ',"truncated":true' : ''}}`;
  return jsonList(`{"trace":${head},"spans":[`, spans(), ending);
}

async function openShared(context: SharesContext, { tenant, traceId, payloads }: FoundShare): Promise<OpenedTrace> {
  try {
    return await context.openTrace(tenant, traceId, payloads);
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'not_found' ? noSharedTrace() : error;
  }
}

/** Applications choose ids, so that they may hold an address or a number of a person. */
function idsToCheck({ traceId }: FoundShare, { spanIds }: OpenedTrace): string[] {
  return [traceId, ...spanIds];
}

function* piecesOf(records: readonly SharedRecord[]): Generator<SharedRecord[]> {
  let piece: SharedRecord[] = [];
  let length = 0;
  for (const record of records) {
    piece.push(record);
    length += record.length;
    if (length < pieceLength && piece.length < pieceRecords) continue;
    yield piece;
    [piece, length] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
