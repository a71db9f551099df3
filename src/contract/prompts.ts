import { z } from 'zod';
import { numberInQuery, pageLimit, pageQuery, pricedCalls, projectIdField, rangeQuery, timestamp, uuid } from './common.ts';

/** Kinds of prompts (docs/semantics.md, "Prompt versions"): a text, or a JSON array of messages. */
export const promptTypes = ['text', 'chat'] as const;
export type PromptType = (typeof promptTypes)[number];

/** Limits (docs/semantics.md, "Prompt limits") in characters (code points) or counts; bytes where the name says so. */
export const promptBounds = {
  name: 200,
  tag: 100,
  tags: 50,
  label: 100,
  labels: 50,
  folder: 255,
  folderSegments: 20,
  commitMessage: 2_000,
  promptBytes: 1_048_576,
  configBytes: 262_144,
  /** Of nested arrays and objects. */
  depth: 100,
  /** Messages of a chat prompt given as an array; more do not fit into its bytes. */
  messages: 50_000,
} as const;

/** The label of the newest version that is no proposal. It cannot be set. */
export const latestLabel = 'latest';

const control = /\p{Cc}/u;

function hasAtMost(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters);
}

/** A name: no control characters and no lone surrogates, which have no UTF-8 form. Not normalised. */
function name(maxLength: number, schema: z.ZodString = z.string()) {
  return schema
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => hasAtMost(text, maxLength), `must have at most ${maxLength} characters`)
    .refine((text) => !control.test(text), 'must not have control characters')
    .refine((text) => text.isWellFormed(), 'must be valid Unicode')
    .describe(`1 to ${maxLength} characters without control characters`);
}

/** Maximum entries of a list before duplicates are removed; a longer list is rejected unread. */
const maxGiven = 1_000;

/** Names without duplicates, in the order of their first occurrence. */
function distinct(entry: z.ZodType<string, string>, maxLength: number) {
  return z
    .array(entry)
    .max(maxGiven)
    .transform((entries) => [...new Set(entries)])
    .refine((entries) => entries.length <= maxLength, `must have at most ${maxLength} different entries`)
    .describe(`at most ${maxLength}, each trimmed and kept once`);
}

/** `.` and `..` cannot stand in a path: browsers and proxies resolve them. */
export const promptName = name(promptBounds.name).refine(
  (text) => text !== '.' && text !== '..',
  'must not consist of one or two dots',
);
export const promptTags = distinct(name(promptBounds.tag, z.string().trim()), promptBounds.tags);
export const promptLabels = distinct(
  name(promptBounds.label, z.string().trim()).refine(
    (label) => label !== latestLabel,
    'cannot be set or removed: latest always sits on the newest version',
  ),
  promptBounds.labels,
);

/** A folder: segments joined by `/`, outer slashes removed. The empty path is the root, null. */
export const promptFolder = z
  .string()
  .max(4_096)
  .transform((text) => text.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, ''))
  .refine((text) => hasAtMost(text, promptBounds.folder), `must have at most ${promptBounds.folder} characters`)
  .refine((text) => !control.test(text), 'must not have control characters')
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .refine(
    (text) => text.split('/').length <= promptBounds.folderSegments,
    `must have at most ${promptBounds.folderSegments} segments`,
  )
  .refine(
    (text) => text === '' || !text.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'),
    'must not have an empty segment, nor . or .. as one',
  )
  .transform((text) => (text === '' ? null : text))
  .nullable();

/** Free-form text without NUL, which PostgreSQL cannot store. */
const storable = (text: string) => !text.includes('\0');
const noNul = 'must not have NUL characters';

/** Whether a JSON value nests arrays and objects at most this deep. */
export function nestsAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((entry) => nestsAtMost(entry, levels - 1));
}

/**
 * Whether a JSON value certainly takes more bytes than this as text. Counts a lower bound and stops when it exceeds the limit, so that a value
 * far above the limit costs little.
 */
export function surelyLarger(value: unknown, bytes: number): boolean {
  let left = bytes;
  const open = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    if (typeof next === 'string') left -= next.length;
    if (typeof next !== 'object' || next === null) continue;
    const keys = Array.isArray(next) ? null : Object.keys(next);
    const entries = keys ?? (next as unknown[]);
    // Lower bounds: a value takes a character and a comma or bracket; a name adds two quotes and a colon.
    left -= entries.length * (keys ? 5 : 2);
    if (left < 0) break;
    for (const entry of entries) open.push(keys ? (next as Record<string, unknown>)[entry as string] : entry);
  }
  return left < 0;
}

const tooLarge = 'must have at most 256 KiB as JSON';

// Not z.record, which copies the object whatever its size.
const config = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object', additionalProperties: true })
  .refine((value) => !surelyLarger(value, promptBounds.configBytes), { error: tooLarge, abort: true })
  .refine((value) => nestsAtMost(value, promptBounds.depth), {
    error: `must not nest deeper than ${promptBounds.depth} levels`,
    // JSON.stringify recurses.
    abort: true,
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= promptBounds.configBytes, tooLarge);

export const promptBody = z.strictObject({
  name: promptName,
  prompt: z
    .union([z.string(), z.array(z.unknown()).max(promptBounds.messages)], {
      error: `must be a string, or an array of at most ${promptBounds.messages} messages of a chat prompt`,
    })
    .describe(
      'a text, or for chat a JSON array of {role, content}, as a string or as it is; at most 1 MiB. {{> name }}, {{> name@label }} and {{> name#3 }} refer to other prompts',
    ),
  type: z.enum(promptTypes).default('text'),
  config: config.default({}),
  labels: promptLabels.default([]).describe('at most 50, moved here from other versions; latest cannot be set'),
  tags: promptTags.optional().describe('at most 50, of the whole family; omitted: the family keeps its tags'),
  folder: promptFolder
    .optional()
    .describe('of the whole family, segments joined by /; null: the root; omitted: the family keeps its folder'),
  commitMessage: z
    .string()
    .refine((text) => hasAtMost(text, promptBounds.commitMessage), `must have at most ${promptBounds.commitMessage} characters`)
    .refine(storable, noNul)
    .refine((text) => text.isWellFormed(), 'must not have unpaired surrogates')
    .default(''),
  projectId: projectIdField,
});
export type PromptBody = z.output<typeof promptBody>;

export const tagsBody = z.strictObject({ tags: promptTags, projectId: projectIdField });
export const folderBody = z.strictObject({ folder: promptFolder, projectId: projectIdField });
export const labelsBody = z
  .strictObject({
    version: z.number().int().min(1).max(2_147_483_647),
    labels: promptLabels.default([]).describe('moved to the version from the others of its prompt'),
    remove: promptLabels.default([]).describe('taken off the version; one that is not on it is passed over'),
    projectId: projectIdField,
  })
  .refine(({ labels, remove }) => labels.length + remove.length > 0, {
    path: ['labels'],
    message: 'must not be empty without remove',
    when: ({ issues }) => issues.length === 0,
  })
  .refine(({ labels, remove }) => !remove.some((label) => labels.includes(label)), {
    path: ['remove'],
    message: 'must have no label that is in labels too',
  });
export type LabelsBody = z.output<typeof labelsBody>;

export const promptVersion = z.object({
  id: uuid,
  projectId: uuid,
  name: z.string(),
  version: z.number().int(),
  type: z.enum(promptTypes),
  prompt: z.string().describe('as stored; of a chat prompt a JSON array of messages'),
  config: z.record(z.string(), z.unknown()),
  labels: z.array(z.string()).describe('by code point; latest on the newest version that is no proposal'),
  tags: z.array(z.string()),
  folder: z.string().nullable().describe('null: the root'),
  commitMessage: z.string(),
  createdBy: z.string().describe("a user's email or an API key's name"),
  createdAt: timestamp,
  updatedAt: timestamp,
  resolvedPrompt: z
    .union([z.string(), z.array(z.unknown()), z.null()])
    .describe(
      'with every reference replaced; an array of messages of a chat prompt; null where that cannot be done at this moment',
    ),
  proposal: z
    .literal(true)
    .optional()
    .describe('a fix proposal that no person has labelled; latest passes it by. Left out of other versions'),
  resolutionError: z.string().optional().describe('why resolvedPrompt is null'),
});
export type PromptVersion = z.output<typeof promptVersion>;

/** A filter: a text that cannot be a name matches nothing; a text that PostgreSQL refuses is invalid. */
const filter = (maxLength: number) => z.string().max(maxLength).refine(storable, noNul);

/** A version number in decimal digits, within the range of versions. */
const versionNumber = z
  .string()
  .regex(/^[0-9]{1,9}$/, 'must be a version number, such as 3')
  .transform(Number);

export const promptsQuery = pageQuery.extend({
  name: filter(1_000).optional().describe('one version of this prompt, instead of the list'),
  version: versionNumber.optional().describe('with name: this version'),
  label: filter(1_000).optional().describe('with name: the version with this label; otherwise production, or else latest'),
  folder: filter(4_096).optional().describe('prompts in this folder; / or nothing: in the root'),
  subfolders: z.enum(['true', 'false']).default('false').describe('true: also those in folders below it'),
  tag: filter(1_000).optional().describe('prompts with this tag'),
  q: filter(1_000).optional().describe('searched in names; letters match in either case'),
  projectId: projectIdField,
});
export type PromptsQuery = z.output<typeof promptsQuery>;

export const versionsQuery = z.object({
  limit: numberInQuery(pageLimit.optional()).describe('left out: all of them, up to 1,000 and 16 MiB'),
  cursor: pageQuery.shape.cursor,
  projectId: projectIdField,
});
export type VersionsQuery = z.output<typeof versionsQuery>;

const familyLabel = z.object({ label: z.string(), version: z.number().int() });
export type FamilyLabel = z.output<typeof familyLabel>;
export const listedPrompt = promptVersion.extend({
  familyLabels: z
    .array(familyLabel)
    .describe('the labels of all versions except latest, production first and the others by code point, at most 50'),
});
export type ListedPrompt = z.output<typeof listedPrompt>;
export const promptPage = z.object({ prompts: z.array(listedPrompt), nextCursor: z.string().nullable() });
export const promptVersions = z.object({ versions: z.array(promptVersion) });
export const versionPage = promptVersions.extend({ nextCursor: z.string().nullable() });
export const movedFolder = z.object({
  success: z.boolean(),
  folder: z.string().nullable(),
  updatedCount: z.number().int().describe('versions of the family'),
});
export const folderList = z.object({ folders: z.array(z.string()).describe('by code point') });
export const promptParams = z.object({ name: z.string() });
export const labelParams = z.object({ name: z.string(), label: z.string() });
export const projectPromptParams = z.object({ id: z.string(), name: z.string() });
export const metricsQuery = z.object(rangeQuery);
export const promptMetrics = z.object({
  versions: z
    .array(
      z.object({
        version: z.number().int(),
        calls: z.number().int(),
        costUsd: z.number(),
        ...pricedCalls,
        avgLatencyMs: z.number().describe('over finished calls; 0 if none is'),
        errorRate: z.number(),
        avgScore: z.number().nullable(),
        evalCount: z.number().int(),
      }),
    )
    .describe('newest version first; those with calls or scores in range'),
});
export type PromptMetrics = z.output<typeof promptMetrics>;
