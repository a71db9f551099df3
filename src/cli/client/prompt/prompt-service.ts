import type { z } from 'zod';
import { largestLimit } from '../../../contract/limits.ts';
import { latestLabel } from '../../../contract/prompts.ts';
import type { PromptVersion, promptPage } from '../../../contract/prompts.ts';
import type { Service } from '../service/find-service.ts';
import type { PromptContent, PromptFile } from './prompt-file.ts';

/** The newest version of a prompt, as the service has it. */
export interface StoredPrompt extends PromptContent {
  name: string;
  version: number;
  /** Of this version, without `latest`. */
  labels: string[];
  /** Of all versions, with the version that each is on. */
  placed: ReadonlyMap<string, number>;
  tags: string[];
  folder: string | null;
}

/** The prompts of one project of a running service. Errors of each: Refusal. */
export interface PromptService {
  /** By name, in code point order. */
  list(): Promise<StoredPrompt[]>;
  /** @returns the new version */
  create(prompt: PromptFile & { name: string }, commitMessage: string): Promise<number>;
  putLabels(name: string, version: number, labels: readonly string[]): Promise<void>;
  putTags(name: string, tags: readonly string[]): Promise<void>;
  putFolder(name: string, folder: string | null): Promise<void>;
}

export function promptServiceOf({ client, inProject }: Service): PromptService {
  const patch = async (name: string, what: string, body: object): Promise<void> => {
    await client.json('PATCH', await inProject(`/v1/prompts/${encodeURIComponent(name)}/${what}`), body);
  };
  return {
    async list() {
      const found: StoredPrompt[] = [];
      let cursor: string | null = null;
      do {
        const query: string = `limit=${largestLimit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
        const page: z.output<typeof promptPage> = await client.json('GET', await inProject(`/v1/prompts?${query}`));
        for (const { familyLabels, ...version } of page.prompts)
          found.push({ ...storedOf(version), placed: new Map(familyLabels.map((one) => [one.label, one.version])) });
        cursor = page.nextCursor;
      } while (cursor !== null);
      return found;
    },
    async create({ name, type, prompt, config, labels, tags, folder }, commitMessage) {
      // `undefined` is left out of JSON.
      const body = { name, type, prompt, config, labels, tags, folder, commitMessage };
      return (await client.json<PromptVersion>('POST', await inProject('/v1/prompts'), body)).version;
    },
    putLabels: (name, version, labels) => patch(name, 'labels', { version, labels }),
    putTags: (name, tags) => patch(name, 'tags', { tags }),
    putFolder: (name, folder) => patch(name, 'folder', { folder }),
  };
}

function storedOf({ name, version, type, prompt, config, labels, tags, folder }: PromptVersion): Omit<StoredPrompt, 'placed'> {
  return {
    name,
    version,
    type,
    prompt: type === 'chat' ? (JSON.parse(prompt) as unknown[]) : prompt,
    config,
    labels: labels.filter((label) => label !== latestLabel),
    tags,
    folder,
  };
}
