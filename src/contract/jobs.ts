import { z } from 'zod';
import { pageQuery, timestamp, uuid } from './common.ts';
import { userDataReceipt } from './user-data.ts';

/** Limits of jobs (docs/semantics/jobs.md, "Durable jobs"). */
export const jobLimits = {
  /** Records that one job works on. */
  matched: 1_000_000,
  /** Jobs of a project that wait. */
  queued: 100,
  /** Jobs of a project under way, over all processes. */
  running: 5,
  /** Errors that a job's record has. */
  errors: 100,
} as const;

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const jobParams = z.object({ id: z.string(), jobId: z.string() });
export const jobsParams = z.object({ id: z.string() });
export const jobsQuery = pageQuery.extend({ status: z.enum(jobStatuses).optional() });
export type JobsQuery = z.output<typeof jobsQuery>;

export const jobError = z.object({
  id: z.string().describe('of the record; of the job where it failed as a whole'),
  error: z.string(),
});
export type JobError = z.output<typeof jobError>;

export const jobResult = z.object({
  url: z.string().optional().describe('path of the file that the job made'),
  datasetId: uuid.optional(),
  expiresAt: timestamp.optional().describe('when the file is removed'),
  receipt: userDataReceipt.optional(),
});
export type JobResult = z.output<typeof jobResult>;

export const job = z.object({
  id: uuid,
  type: z.string(),
  status: z.enum(jobStatuses),
  matched: z.number().int().describe('records of its set, fixed when it was made'),
  done: z.number().int(),
  failed: z.number().int(),
  errors: z.array(jobError).describe(`at most ${jobLimits.errors}`),
  createdAt: timestamp,
  createdBy: z.string().describe("a user's email, or an API key's name"),
  completedAt: timestamp.nullable(),
  result: jobResult.nullable(),
});
export type Job = z.output<typeof job>;

/** The answer of a request that makes a job. */
export const oneJob = z.object({ job });
export const jobPage = z.object({ jobs: z.array(job).describe('newest first'), nextCursor: z.string().nullable() });
