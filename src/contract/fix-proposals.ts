import { z } from 'zod';
import { pageQuery, storable, timestamp, uuid } from './common.ts';

export const fixProposalStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type FixProposalStatus = (typeof fixProposalStatuses)[number];

const name = z
  .string()
  .min(1)
  .max(1_000)
  .refine(...storable);

export const fixProposalBody = z
  .strictObject({
    promptName: name.optional().describe("left out: the prompt that most spans of the incident's traces name"),
    connection: name.optional().describe("name of a model connection; left out: the project's only one"),
  })
  .default({});
export type FixProposalBody = z.output<typeof fixProposalBody>;

export const startedFixProposal = z.object({ id: uuid, status: z.literal('queued') });
export type StartedFixProposal = z.output<typeof startedFixProposal>;

const diffLine = z.object({ op: z.enum(['equal', 'add', 'remove']), text: z.string() });
export type DiffLine = z.output<typeof diffLine>;

export const fixProposal = z.object({
  id: uuid,
  incidentId: uuid,
  status: z.enum(fixProposalStatuses),
  promptName: z.string(),
  baseVersion: z.number().int().describe('the version that is revised'),
  proposedVersion: z.number().int().nullable().describe('null until completed'),
  diff: z
    .array(diffLine)
    .describe(
      'one entry a line, without line breaks; of a chat prompt a line with the role precedes each message. Empty until completed',
    ),
  rationale: z.string().nullable().describe("the model's; null until completed"),
  traceIds: z.array(z.string()).describe('the traces that the model is shown, at most 20'),
  costUsd: z.number().nullable().describe('of all attempts; null where no price is known'),
  error: z.string().nullable().describe('why the last attempt failed'),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
});
export type FixProposal = z.output<typeof fixProposal>;

export const fixProposalPage = z.object({
  fixProposals: z.array(fixProposal).describe('newest first; fewer than limit where they are large'),
  nextCursor: z.string().nullable(),
});
export type FixProposalPage = z.output<typeof fixProposalPage>;

export const fixProposalsParams = z.object({ id: z.string(), incidentId: z.string() });
export const fixProposalParams = fixProposalsParams.extend({ proposalId: z.string() });
export const listFixProposalsQuery = pageQuery;
export type ListFixProposalsQuery = z.output<typeof listFixProposalsQuery>;
