import { recordColumns } from '../../contract/csv.ts';
import { dayMs } from '../../contract/durations.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { JobStep, JobType } from '../jobs/index.ts';
import type { RecordIds, RecordPayloads, TracesFeature } from '../traces/index.ts';
import type { ExportFiles } from './export-file.ts';
import { csvHead, csvRecord, jsonLine } from './export-text.ts';
import type { ExportedRecord } from './export-text.ts';
import { noSuchSpan, noSuchTrace, spanKey, spanOfKey } from './record-ids.ts';
import { tenantOfJob } from './selected-tenant.ts';
import type { SelectedRecords } from './selected-tenant.ts';

export interface ExportRecords extends SelectedRecords {
  format: 'jsonl' | 'csv';
  payloads: boolean;
}

/** The size of the file with the recorded pages. */
interface Written {
  bytes: number;
}

export interface ExportContext {
  clock: Clock;
  traces: Pick<TracesFeature, 'records'>;
  files: ExportFiles;
}

/** How long a finished file is kept, in milliseconds. */
export const exportKeptMs = 7 * dayMs;

const mediaTypes = { jsonl: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' };

type Step = JobStep<ExportRecords, Written>;

/** Jobs that write traces or spans to a file (docs/semantics/jobs.md, "Exports"). */
export function exportJobs({ clock, traces, files }: ExportContext): JobType<ExportRecords, Written> {
  return {
    type: 'export',
    permission: 'dashboard:read',
    byKey: ['read'],
    pageSize: 500,
    run: async (step) => {
      const { job, items } = step;
      const written = new Set<string>();
      const bytes = await files.append(job.id, job.state?.bytes ?? 0, textsOf(traces, step, written));
      // Another process has written the pages before this one: its file is not here.
      if (bytes === null) return { failed: [], state: { bytes: 0 }, restart: true };
      const error = job.input.on === 'spans' ? noSuchSpan : noSuchTrace;
      return { failed: items.filter((id) => !written.has(id)).map((id) => ({ id, error })), state: { bytes } };
    },
    finish: async ({ id, projectId, input, matched }) => {
      if (matched === 0) await files.append(id, 0, headerOf(input));
      if (!(await files.finish(id))) throw new Error('the file of an export is not where its pages were written');
      return {
        url: `/v1/projects/${projectId}/jobs/${id}/download`,
        expiresAt: new Date(clock.now() + exportKeptMs).toISOString(),
      };
    },
    abandon: ({ id }) => files.remove(id),
    download: ({ id, input }) =>
      Promise.resolve({
        path: files.path(id),
        name: `${input.on}-${id}.${input.format}`,
        mediaType: mediaTypes[input.format],
      }),
  };
}

async function* headerOf({ on, format, payloads }: ExportRecords): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(recordColumns[on], payloads);
}

/** The text of a page. @param written gets the ids of the records in it */
async function* textsOf(traces: ExportContext['traces'], step: Step, written: Set<string>): AsyncGenerator<string> {
  const { input, state } = step.job;
  if ((state?.bytes ?? 0) === 0) yield* headerOf(input);
  const lineOf = input.format === 'csv' ? (record: ExportedRecord) => csvRecord(recordColumns[input.on], record) : jsonLine;
  for await (const [keys, records] of recordsOf(traces, step)) {
    for (const key of keys) written.add(key);
    yield records.map(lineOf).join('');
  }
}

type Keyed = [keys: string[], records: ExportedRecord[]];

async function* recordsOf({ records }: ExportContext['traces'], { job, items }: Step): AsyncGenerator<Keyed> {
  const { on, payloads } = job.input;
  const tenant = tenantOfJob(job);
  const listed = new Map<string, ExportedRecord['fields']>();
  const ids: RecordIds[] = items.map((key) => (on === 'spans' ? spanOfKey(key) : { traceId: key, spanId: '' }));
  if (on === 'spans')
    for (const span of await records.listedSpans(tenant, ids)) listed.set(spanKey(span.traceId, span.spanId), span);
  else for (const [traceId, trace] of await records.listedTraces(tenant, items)) listed.set(traceId, trace);
  const keys = items.filter((key) => listed.has(key));
  const fieldsOf = (key: string) => listed.get(key) ?? {};
  if (!payloads) {
    yield [keys, keys.map((key) => ({ fields: fieldsOf(key), payloads: null }))];
    return;
  }
  const read: AsyncIterable<Array<RecordIds & RecordPayloads>> =
    on === 'spans' ? records.spanPayloads(tenant, keys.map(spanOfKey)) : records.tracePayloads(tenant, keys);
  for await (const part of read) {
    const ofPart = part.map((one): [string, ExportedRecord] => {
      const key = on === 'spans' ? spanKey(one.traceId, one.spanId) : one.traceId;
      return [key, { fields: fieldsOf(key), payloads: one }];
    });
    yield [ofPart.map(([key]) => key), ofPart.map(([, record]) => record)];
  }
}
