import { describe, expect, test } from 'vitest';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { referenceKey } from './references.ts';
import { PromptResolver, ResolutionError } from './resolve-prompt.ts';
import type { Source, SourceReader } from './resolve-prompt.ts';
import { resolvedRecords } from './version-records.ts';
import type { VersionRow } from './version-store.ts';

/** A prompt with one version; `reads` counts the reads of its text. */
function prompt(name: string, text: string, reads = { count: 0 }): Source & { reads: { count: number } } {
  return {
    id: name,
    familyId: name,
    name,
    version: 1,
    type: 'text',
    get prompt() {
      reads.count++;
      return text;
    },
    reads,
  };
}

/** A reader of prompts by name that never yields to the event loop. */
function readerOf(sources: readonly Source[]): SourceReader {
  const byName = new Map(sources.map((source) => [source.name, source]));
  return {
    find: (references) =>
      Promise.resolve(
        new Map(
          references
            .filter(({ name }) => byName.has(name))
            .map((reference) => [referenceKey(reference), { id: reference.name, bytes: 1 }]),
        ),
      ),
    read: (ids) => Promise.resolve(ids.flatMap((id) => byName.get(id) ?? [])),
  };
}

/** Versions of a prompt, as a list reads them. */
function rows(texts: readonly string[]): VersionRow[] {
  const shared = { familyId: 'root', projectId: 'p', name: 'root', type: 'text' as const, config: '{}', commitMessage: '' };
  const made = { createdBy: '', createdAt: new Date(0), updatedAt: new Date(0), tags: [], folder: null, labels: [] };
  return texts.map((text, index) => ({
    ...shared,
    ...made,
    id: `root ${index}`,
    version: index + 1,
    latestVersion: texts.length,
    proposal: false,
    prompt: text,
  }));
}

describe('a list of versions', () => {
  const inner = ['b0', 'b1', 'b2'].map((name) => prompt(name, '{{>e}}'.repeat(1_000)));
  const reader = readerOf([prompt('e', '!'), ...inner]);
  const versions = rows(Array.from({ length: 50 }, (_, index) => `{{>b0}}{{>b1}}{{>b2}}${index}`));

  test('a common target is parsed once', async () => {
    const records = await resolvedRecords(new PromptResolver(reader), versions);
    expect(records.map(({ resolvedPrompt }) => resolvedPrompt)).toEqual(
      versions.map((_, index) => '!'.repeat(3_000) + String(index)),
    );
    // Two reads: its text and its length.
    for (const { reads } of inner) expect(reads.count).toBeLessThanOrEqual(2);
  });

  test('yields to the event loop after each version', async () => {
    const turns = await turnsUntil(resolvedRecords(new PromptResolver(reader), versions));
    expect(turns).toBeGreaterThanOrEqual(versions.length);
  });

  test('an unresolvable version does not affect later ones', async () => {
    const sources = [prompt('a', '{{>b}}'), prompt('b', 'b{{>c}}'), prompt('c', 'c'), prompt('circle', '{{>b}}{{>circle}}')];
    const texts = ['{{>a}}', '{{>circle}}', '{{>nowhere}}', '{{>a}}{{>circle}}', '{{>a}}{{>b}}'];
    const records = await resolvedRecords(new PromptResolver(readerOf(sources)), rows(texts));
    expect(records.map(({ resolvedPrompt, resolutionError }) => resolvedPrompt ?? resolutionError)).toEqual([
      'bc',
      expect.stringContaining('circle (version 1) refers to circle (version 1)'),
      expect.stringContaining('has no target'),
      expect.stringContaining('circle (version 1) refers to circle (version 1)'),
      'bcbc',
    ]);
  });

  test('the depth limit is the same for every prompt of the list', async () => {
    const chain = Array.from({ length: 11 }, (_, index) => prompt(`p${index}`, index === 0 ? 'x' : `{{>p${index - 1}}}`));
    const texts = ['{{>p9}}', '{{>p10}}', '{{>p8}}', '{{>p10}}{{>p9}}', '{{>p9}}'];
    const records = await resolvedRecords(new PromptResolver(readerOf(chain)), rows(texts));
    expect(records.map(({ resolvedPrompt }) => resolvedPrompt)).toEqual(['x', null, 'x', null, 'x']);
    expect(records[1]?.resolutionError).toContain('longer than 10');
  });
});

describe('the limit of 10,000 references for one prompt', () => {
  const resolve = (text: string, sources: readonly Source[]) =>
    new PromptResolver(readerOf(sources)).resolve(prompt('root', text));
  const refused = (resolution: Promise<unknown>) =>
    expect(resolution).rejects.toSatisfy(
      (error) => error instanceof ResolutionError && error.message.includes('have more than 10000 references'),
    );

  test('counts those in its own text', async () => {
    expect((await resolve('{{>e}}'.repeat(10_000), [prompt('e', '.')])).resolved).toHaveLength(10_000);
    await refused(resolve('{{>e}}'.repeat(10_001), [prompt('e', '.')]));
  });

  test('counts those in its targets, each target once', async () => {
    const inner = prompt('b', '{{>e}}'.repeat(5_000));
    expect((await resolve('{{>b}}'.repeat(5_000), [inner, prompt('e', '')])).resolved).toBe('');
    await refused(resolve('{{>b}}'.repeat(5_001), [inner, prompt('e', '')]));
  });
});
