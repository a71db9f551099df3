import { ServiceError } from '../../../contract/errors.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { WalFailedError, WalFullError } from '../../../platform/wal/wal.ts';
import type { WriteAheadLog } from '../../../platform/wal/wal.ts';
import { originOf } from '../../records/index.ts';
import type { IngestBatch } from '../../records/index.ts';
import type { Backlog } from '../log/backlog.ts';
import { encodeLogRecord, encodeOtlpRecord, rowCountOf } from '../log/log-record.ts';
import type { LogRecordHead } from '../log/log-record.ts';
import type { IngestTenant, OtlpRequest } from '../pipeline-port.ts';
import type { RowVersions } from './row-versions.ts';

interface RequestAcceptorOptions {
  log: WriteAheadLog;
  clock: Clock;
  versions: RowVersions;
  backlog: Backlog;
  /** Called when a request was appended. */
  onAppended(): void;
}

/** Appends requests to the log; see `IngestPipeline.accept`. */
export class RequestAcceptor {
  readonly #options: RequestAcceptorOptions;

  constructor(options: RequestAcceptorOptions) {
    this.#options = options;
  }

  async accept(tenant: IngestTenant, batch: IngestBatch, quotaCount: number, bodyDigest: string): Promise<void> {
    const eventCount = batch.spans.length + batch.scores.length;
    const spanCount = batch.spans.filter((span) => span.spanId !== '' && originOf(span) !== 'simulation').length;
    await this.#append(tenant, { quotaCount, eventCount, spanCount, bodyDigest }, rowCountOf(batch), (counts, firstVersion) =>
      encodeLogRecord(tenant, batch, counts, firstVersion),
    );
  }

  async acceptOtlp(tenant: IngestTenant, request: OtlpRequest, quotaCount: number, bodyDigest: string): Promise<void> {
    const { spanCount } = request;
    const eventCount = spanCount + request.maxScores;
    await this.#append(tenant, { quotaCount, eventCount, spanCount, bodyDigest }, eventCount, (counts, firstVersion) =>
      encodeOtlpRecord(tenant, request, counts, firstVersion),
    );
  }

  async #append(
    tenant: IngestTenant,
    counts: Pick<LogRecordHead, 'quotaCount' | 'eventCount' | 'spanCount' | 'bodyDigest'>,
    rowCount: number,
    encode: (counts: Omit<LogRecordHead, 'maxVersion'>, firstVersion: number) => Uint8Array,
  ): Promise<void> {
    if (rowCount === 0) return;
    const { log, clock, versions, backlog } = this.#options;
    const now = clock.now();
    const { first, last } = versions.reserve(rowCount, now);
    const month = `${new Date(now).toISOString().slice(0, 7)}-01`;
    const { projectId, organizationId } = tenant;
    const head: LogRecordHead = { projectId, organizationId, ...counts, month, receivedMs: now, maxVersion: last };
    backlog.add(head);
    try {
      await log.append(encode(head, first));
    } catch (error) {
      backlog.refused(head);
      throw refusal(error);
    }
    this.#options.onAppended();
  }
}

function refusal(error: unknown): unknown {
  if (error instanceof WalFullError) {
    return new ServiceError(
      'unavailable',
      'The service has more data waiting than it may hold; send this again in a few seconds.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
  if (error instanceof WalFailedError) {
    return new ServiceError('unavailable', 'The service cannot store data just now; keep it and send it again later.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  return error;
}
