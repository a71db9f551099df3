import { z } from 'zod';
import { instant, pageQuery, timestamp, uuid } from './common.ts';
import { dayMs } from './durations.ts';

/** Longest range of a pack, in milliseconds: a year, also a leap year. */
export const maxPackRangeMs = 366 * dayMs;

/** Frameworks of which a pack can be generated. */
export const packFrameworks = ['soc2'] as const;

export const packBody = z.strictObject({
  framework: z.enum(packFrameworks),
  from: instant.describe('earliest time, inclusive; since 1970'),
  to: instant.describe('latest time, inclusive to the millisecond; not in the future, and at most 366 days after from'),
});
export type PackBody = z.output<typeof packBody>;

export const controlStatuses = ['evidenced', 'partial', 'none'] as const;
export type ControlStatus = (typeof controlStatuses)[number];

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const evidence = z.object({
  type: z.string(),
  description: z.string().describe('what the records are, what they cannot show, and the seed of the sample'),
  count: z.number().int().describe('records in the whole population'),
  from: timestamp.describe('the part of the range that the records cover'),
  to: timestamp,
  sha256: digest.describe('over the RFC 8785 form of every record of the population, each followed by a line feed'),
  sample: z.array(z.record(z.string(), z.unknown())).describe('up to 20 records: all of them; of more, 20 to 25'),
});
export type Evidence = z.output<typeof evidence>;

const controlHead = { controlId: z.string(), title: z.string(), status: z.enum(controlStatuses) };
export const packControl = z.object({ ...controlHead, evidence: z.array(evidence) });
export type PackControl = z.output<typeof packControl>;

const chainEnd = z.object({ seq: z.number().int().describe('0 before the first entry'), hash: digest });

const head = {
  id: uuid,
  projectId: uuid,
  framework: z.enum(packFrameworks),
  from: timestamp,
  to: timestamp,
  createdAt: timestamp,
  createdBy: z.string().describe("the user's email, or system"),
};
const chainPart = z.object({ from: chainEnd, to: chainEnd, entries: z.number().int() });
const seal = {
  sha256: digest.describe('over the RFC 8785 form of the pack without sha256, signature and publicKey'),
  signature: z.string().describe('base64: Ed25519 over the 32 bytes of sha256'),
  publicKey: z.string().describe("base64: the installation's key, raw"),
};

/** An evidence pack (docs/evidence-format.md). */
export const evidencePack = z.object({
  ...head,
  controls: z.array(packControl).describe('those of the framework, in its order'),
  audit: chainPart.describe("the part of the organization's audit log that the range covers"),
  ...seal,
});
export type EvidencePack = z.output<typeof evidencePack>;

/** A pack in a list: without the evidence. */
export const listedPack = z.object({ ...head, controls: z.array(z.object(controlHead)), audit: chainPart, ...seal });
export type ListedPack = z.output<typeof listedPack>;

export const packPage = z.object({
  evidencePacks: z.array(listedPack).describe('newest first'),
  nextCursor: z.string().nullable(),
});
export type PackPage = z.output<typeof packPage>;

export const packsParams = z.object({ id: z.string() });
export const packParams = z.object({ id: z.string(), packId: z.string() });
export const listPacksQuery = pageQuery;

export const packFormats = ['json', 'html', 'dsse'] as const;
export type PackFormat = (typeof packFormats)[number];
export const downloadQuery = z.object({ format: z.enum(packFormats).default('json') });

export const packCheckNames = ['content_hash', 'signature', 'key', 'audit_chain'] as const;
export type PackCheckName = (typeof packCheckNames)[number];

export const packVerification = z.object({
  valid: z.boolean().describe('every check is ok'),
  checks: z.array(z.object({ name: z.enum(packCheckNames), ok: z.boolean(), detail: z.string() })),
});
export type PackVerification = z.output<typeof packVerification>;
export type PackCheck = PackVerification['checks'][number];
