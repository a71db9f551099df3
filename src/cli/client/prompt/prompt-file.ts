import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Document, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { promptFolder, promptLabels, promptName, promptTags, promptTypes } from '../../../contract/prompts.ts';
import type { PromptType } from '../../../contract/prompts.ts';
import { Refusal } from '../service/refusal.ts';

/** What a version of a prompt says. */
export interface PromptContent {
  type: PromptType;
  /** Of a chat prompt the messages. */
  prompt: string | unknown[];
  config: Readonly<Record<string, unknown>>;
}

/** What a file says about a prompt. */
export interface PromptFile extends PromptContent {
  /** null: the file does not say. */
  name: string | null;
  /** The version that the file was written from. */
  version: number | null;
  labels: string[];
  /** Left out: those of the service stay. */
  tags?: string[] | undefined;
  folder?: string | null | undefined;
  /** Whether nothing was changed since a command wrote the file. */
  isUnchanged: boolean;
}

const frontMatter = z.strictObject({
  name: promptName.optional(),
  type: z.enum(promptTypes).default('text'),
  version: z.int().min(1).optional(),
  labels: promptLabels.default([]),
  tags: promptTags.optional(),
  folder: promptFolder.optional(),
  config: z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be a mapping',
    )
    .default({}),
  checksum: z.string().optional(),
});

const yamlOptions = { lineWidth: 0, version: '1.2', schema: 'core' } as const;
// Not the flag m, by which U+2028 ends a line too.
const checksumLine = /(^|\n)checksum:[^\n]*\n/;
const versionLine = /(^|\n)version:[^\n]*\n/;

/**
 * Reads a file: a front matter in YAML between lines `---`, then the prompt as it is, or the messages of a chat prompt in YAML. The line break at the
 * end belongs to the file.
 *
 * @param path for messages
 * @returns null for a file without a front matter, which is no prompt
 *
 * Errors: {@link Refusal} that names the file and what to correct.
 */
export function readPromptFile(path: string, text: string): PromptFile | null {
  const parts = divided(text);
  if (!parts) return null;
  const parsed = frontMatter.safeParse(yamlIn(path, parts.front) ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Refusal(
      `${path}: correct ${issue?.path.join('.') || 'the front matter'} (${issue?.message ?? 'it cannot be read'})`,
    );
  }
  const { checksum, name = null, version = null, type, ...others } = parsed.data;
  const prompt = type === 'chat' ? yamlIn(path, parts.body) : parts.body.replace(/\n$/, '');
  if (type === 'chat' && !Array.isArray(prompt))
    throw new Refusal(`${path}: write the messages of a chat prompt as a YAML list of role and content`);
  return { ...others, name, version, type, prompt: prompt as string | unknown[], isUnchanged: checksum === checksumOf(text) };
}

/** A file for a version of a prompt, which {@link readPromptFile} reads as it is given. */
export function promptFileText({
  name,
  type,
  version,
  labels,
  tags,
  folder,
  config,
  prompt,
}: Omit<PromptFile, 'isUnchanged'>): string {
  const document = new Document(
    { ...(name === null ? {} : { name }), type, ...(version === null ? {} : { version }) },
    yamlOptions,
  );
  document.set('labels', document.createNode(labels, { flow: true }));
  if (tags) document.set('tags', document.createNode(tags, { flow: true }));
  if (folder !== undefined) document.set('folder', folder);
  const head = document.toString(yamlOptions);
  const settings = Object.keys(config).length === 0 ? '' : yamlOf({ config });
  const body = type === 'chat' ? yamlOf(prompt) : `${String(prompt)}\n`;
  return withChecksum(`---\n${head}${settings}---\n${body}`);
}

/** The text of a file with another version, and everything else as it was. */
export function withVersion(path: string, text: string, version: number): string {
  const file = readPromptFile(path, text);
  const parts = divided(text);
  if (!file || !parts) throw new Refusal(`${path} is no prompt any more; pull it again`);
  const line = `version: ${version}\n`;
  const front = versionLine.test(parts.front)
    ? parts.front.replace(versionLine, `$1${line}`)
    : `${parts.front}${parts.front === '' || parts.front.endsWith('\n') ? '' : '\n'}${line}`;
  const changed = withChecksum(`---\n${front}---\n${parts.body}`);
  const wanted = { ...file, version, isUnchanged: true };
  return isSame(path, changed, wanted) ? changed : promptFileText({ ...file, version });
}

function isSame(path: string, text: string, wanted: PromptFile): boolean {
  try {
    return isDeepStrictEqual(readPromptFile(path, text), wanted);
  } catch {
    return false;
  }
}

/** Whether two versions say the same. */
export function isSameContent(one: PromptContent, other: PromptContent): boolean {
  const normal = ({ type, prompt, config }: PromptContent): unknown => JSON.parse(JSON.stringify({ type, prompt, config }));
  return isDeepStrictEqual(normal(one), normal(other));
}

/** YAML that is read as the same value; JSON, which is YAML too, where block style cannot say it. */
function yamlOf(value: unknown): string {
  const text = stringify(value, { ...yamlOptions, aliasDuplicateObjects: false });
  const document = parseDocument(text, yamlOptions);
  if (document.errors.length === 0 && JSON.stringify(document.toJS()) === JSON.stringify(value)) return text;
  if (typeof value === 'object' && value !== null && 'config' in value) return `config: ${JSON.stringify(value.config)}\n`;
  return `${JSON.stringify(value, null, 2)}\n`;
}

function yamlIn(path: string, text: string): unknown {
  try {
    const document = parseDocument(text, { ...yamlOptions, uniqueKeys: true, prettyErrors: false });
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // Also too many aliases, and nesting too deep for the stack.
    throw new Refusal(`${path}: correct the YAML (${(error as Error).message.split('\n')[0]})`);
  }
}

/**
 * Front matter and body; null for a text without front matter. A text whose first line ends with CR LF is read with LF: git and editors convert whole
 * files.
 */
function divided(given: string): { front: string; body: string } | null {
  const [opening = '', isConverted] = /^\uFEFF?---[ \t]*(\r)?\n/.exec(given) ?? [];
  if (opening === '') return null;
  const text = (isConverted === undefined ? given : given.replaceAll('\r\n', '\n')).slice(given.indexOf('-'));
  const start = text.indexOf('\n') + 1;
  for (let at = start; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    if (/^---[ \t]*$/.test(line)) return { front: text.slice(start, at), body: end < 0 ? '' : text.slice(end + 1) };
    if (end < 0) return null;
    at = end + 1;
  }
  return null;
}

function withChecksum(text: string): string {
  const parts = divided(text);
  if (!parts) return text;
  const front = parts.front.replace(checksumLine, '$1');
  return `---\n${front}checksum: ${checksumOf(`---\n${front}---\n${parts.body}`)}\n---\n${parts.body}`;
}

/** Of everything but itself. */
function checksumOf(text: string): string {
  const parts = divided(text);
  const rest = parts ? `${parts.front.replace(checksumLine, '$1')}---\n${parts.body}` : text;
  // Digits alone would be a number in YAML.
  return `sha256-${createHash('sha256').update(rest).digest('hex').slice(0, 16)}`;
}
