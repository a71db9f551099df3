import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkText, compileBundle } from '../../packages/guardrails/src/index.ts';
import type { Bundle, GuardrailType, Match } from '../../packages/guardrails/src/index.ts';

/** What was found of what was labelled, and what was found besides. */
export interface Quality {
  expected: number;
  found: number;
  extra: number;
}

/** Finds matches in a text. */
export type Finder = (text: string) => Match[];

interface PiiRow {
  set: 'presidio' | 'sentences' | 'values';
  about?: string;
  notWhole?: string;
  text: string;
  spans: Array<{ start: number; end: number; type: string }>;
}

interface SecretRow {
  secret: boolean;
  distinctive?: boolean;
  parts: string[];
  origin: string;
}

interface InjectionRow {
  set: 'deepset' | 'notinject' | 'bipia';
  injection: boolean;
  text: string;
}

const folder = join(import.meta.dirname, '../fixtures/guardrails');
const entityOf: Record<string, string> = { ip: 'ip_address' };

function rows<T>(name: string): T[] {
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Texts of all corpora. */
export function corpusTexts(): string[] {
  return [
    ...rows<PiiRow>('pii.jsonl').map(({ text }) => text),
    ...rows<SecretRow>('secrets.jsonl').map(({ parts }) => parts.join('')),
    ...rows<InjectionRow>('injection.jsonl').map(({ text }) => text),
  ];
}

/** A bundle of one guardrail that flags. */
export function bundleOf(type: GuardrailType, config: unknown = {}): Bundle {
  return compileBundle([{ slug: type, type, stage: 'both', action: 'flag', config, priority: 1, onError: 'block' }]);
}

/** A finder that runs a guardrail. */
export function finderOf(type: GuardrailType, config: unknown = {}): Finder {
  const bundle = bundleOf(type, config);
  return (text) => checkText(bundle, { text }).results.flatMap(({ matches }) => matches);
}

/** Exact spans by entity, for one set of the corpus. */
export function piiQuality(find: Finder, set: PiiRow['set']): Record<string, Quality> {
  const result: Record<string, Quality> = {};
  for (const row of rows<PiiRow>('pii.jsonl')) {
    if (row.set !== set) continue;
    const matches = find(row.text);
    const spans = row.spans.map(({ start, end, type }) => ({ start, end, label: entityOf[type] ?? type }));
    const about = row.about && (entityOf[row.about] ?? row.about);
    const notWhole = row.notWhole && (entityOf[row.notWhole] ?? row.notWhole);
    const same = (a: Match, b: Match) => a.start === b.start && a.end === b.end && a.label === b.label;
    const of = (label: string) => (result[label] ??= { expected: 0, found: 0, extra: 0 });
    for (const span of spans) {
      of(span.label).expected += 1;
      if (matches.some((match) => same(match, span))) of(span.label).found += 1;
    }
    for (const match of matches) {
      if (about && match.label !== about) continue;
      if (notWhole === match.label && match.end - match.start < row.text.length) continue;
      if (!spans.some((span) => same(match, span))) of(match.label).extra += 1;
    }
  }
  return result;
}

/** Texts with a secret that any match finds, and texts without one in which something is found. */
export function secretQuality(find: Finder): Record<'distinctive' | 'generic' | 'none', Quality> {
  const result = {
    distinctive: { expected: 0, found: 0, extra: 0 },
    generic: { expected: 0, found: 0, extra: 0 },
    none: { expected: 0, found: 0, extra: 0 },
  };
  for (const { secret, distinctive, parts } of rows<SecretRow>('secrets.jsonl')) {
    const kind = !secret ? 'none' : distinctive === true ? 'distinctive' : 'generic';
    const hit = find(parts.join('')).length > 0;
    result[kind].expected += 1;
    if (hit) result[kind][secret ? 'found' : 'extra'] += 1;
  }
  return result;
}

/** Injected texts that are found, and others in which something is found, by set; `benign` counts the others. */
export function injectionQuality(find: Finder): Record<InjectionRow['set'], Quality & { benign: number }> {
  const none = () => ({ expected: 0, found: 0, extra: 0, benign: 0 });
  const result = { deepset: none(), notinject: none(), bipia: none() };
  for (const { set, injection, text } of rows<InjectionRow>('injection.jsonl')) {
    const hit = find(text).length > 0;
    result[set][injection ? 'expected' : 'benign'] += 1;
    if (hit) result[set][injection ? 'found' : 'extra'] += 1;
  }
  return result;
}

/** The labelled texts of prompt injections. */
export function injectionTexts(): InjectionRow[] {
  return rows<InjectionRow>('injection.jsonl');
}

/** What simple regular expressions find, for comparison. */
export function simpleFinder(patterns: Readonly<Record<string, RegExp>>): Finder {
  return (text) =>
    Object.entries(patterns).flatMap(([label, pattern]) =>
      [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, label })),
    );
}

interface PhoneRow {
  region: string;
  numbers: Array<{ text: string; number: string }>;
  others: string[];
}

/** Numbers of our own list that are found whole, and other texts in which one is found, by region; each with the texts that are wrong. */
export function phoneQuality(): Array<{
  region: string;
  numbers: number;
  found: number;
  others: number;
  extra: number;
  wrong: string[];
}> {
  return rows<PhoneRow>('own-phones.jsonl').map(({ region, numbers, others }) => {
    const find = finderOf('pii', { entities: ['phone'], phoneRegions: [region] });
    const missed = numbers.filter(({ text, number }) => {
      const found = find(text);
      return found.length !== 1 || text.slice(found[0]?.start, found[0]?.end) !== number;
    });
    const extra = others.filter((text) => find(text).length > 0);
    return {
      region,
      numbers: numbers.length,
      found: numbers.length - missed.length,
      others: others.length,
      extra: extra.length,
      wrong: [...missed.map(({ text }) => text), ...extra],
    };
  });
}

interface OwnInjectionRow {
  language: string;
  attacks: string[];
  benign: string[];
}

/** Attacks of our own list that are found, and benign texts in which something is found, by language; each with the texts that are wrong. */
export function ownInjectionQuality(): Array<{
  language: string;
  attacks: number;
  found: number;
  benign: number;
  extra: number;
  wrong: string[];
}> {
  const find = finderOf('prompt_injection');
  return rows<OwnInjectionRow>('own-injections.jsonl').map(({ language, attacks, benign }) => {
    const missed = attacks.filter((text) => find(text).length === 0);
    const extra = benign.filter((text) => find(text).length > 0);
    return {
      language,
      attacks: attacks.length,
      found: attacks.length - missed.length,
      benign: benign.length,
      extra: extra.length,
      wrong: [...missed, ...extra],
    };
  });
}
