import { valueTerm, writtenValue } from './filter-edit.ts';
import { topTerms } from './filter-terms.ts';
import { filterValues, multipleNames } from './trace-filters.ts';
import type { FilterSearch, MultipleName } from './trace-filters.ts';

/**
 * The parameters of a list of traces in the language of filters, before the filter that it has: links name a model or a user by a parameter. What the language
 * has no words for stays: scores without an evaluator, a search that also finds ids. Pure function.
 */
export function foldedParameters(search: FilterSearch): FilterSearch {
  const terms = [...multipleNames.flatMap((name) => valuesTerm(search, name)), ...singleTerms(search)];
  const { filter = '' } = search;
  const before = terms.join(' ');
  const written = filter.trim();
  const behind = written !== '' && before !== '' && topTerms(written) === null ? `(${written})` : written;
  const whole = [before, behind].filter((text) => text !== '').join(' ');
  return {
    ...(whole === '' ? {} : { filter: whole }),
    ...Object.fromEntries(keptNames(search).flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))),
  };
}

function keptNames({ evaluator }: FilterSearch) {
  return evaluator === undefined
    ? (['q', 'simulated', 'minScore', 'maxScore', 'passed'] as const)
    : (['q', 'simulated'] as const);
}

function valuesTerm(search: FilterSearch, name: MultipleName): string[] {
  const values = filterValues(search, name);
  if (values.length === 0) return [];
  if (name === 'metadata') return metadataTerms(values);
  const named = values.filter((value) => value !== '').map(writtenValue);
  const absent = values.includes('') ? [`-${name}:*`] : [];
  const terms = [...(named.length === 0 ? [] : [valueTerm(name, named)]), ...absent];
  return [terms.length > 1 ? `(${terms.join(' OR ')})` : (terms[0] ?? '')];
}

/** Values of one key are a choice, and several keys must all match. */
function metadataTerms(pairs: readonly string[]): string[] {
  const byKey = new Map<string, string[] | null>();
  for (const pair of pairs) {
    const [key, value] = pairOf(pair);
    const known = byKey.get(key);
    byKey.set(key, value === null || known === null ? null : [...(known ?? []), writtenValue(value)]);
  }
  return [...byKey].map(([key, values]) =>
    valueTerm(`metadata.${/^[\w$@/-]+$/.test(key) ? key : `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`, values ?? ['*']),
  );
}

/** The key and value of `region:eu`; a colon in a key is written `\:`. */
function pairOf(pair: string): [key: string, value: string | null] {
  let key = '';
  for (let at = 0; at < pair.length; at++) {
    const character = pair[at] ?? '';
    const next = pair[at + 1] ?? '';
    if (character === ':') return [key, pair.slice(at + 1)];
    if (character === '\\' && (next === ':' || next === '\\')) at++;
    key += pair[at];
  }
  return [key, null];
}

function singleTerms(search: FilterSearch): string[] {
  const { status, minLatency, minCost, unscoredBy, promptName, promptVersion } = search;
  const ofPrompt = [
    ...(promptName === undefined ? [] : [`prompt:${writtenValue(promptName)}`]),
    ...(promptVersion === undefined ? [] : [`promptVersion:${writtenValue(promptVersion)}`]),
  ];
  return [
    ...(status === undefined ? [] : [`status:${status}`]),
    ...(minLatency === undefined ? [] : [`latency:>=${minLatency}`]),
    ...(minCost === undefined ? [] : [`cost:>=${minCost}`]),
    ...scoreTerms(search),
    ...(unscoredBy === undefined ? [] : [`-scored:${writtenValue(unscoredBy)}`]),
    ...(ofPrompt.length > 1 ? [`any(${ofPrompt.join(' ')})`] : ofPrompt),
  ];
}

function scoreTerms({ evaluator, minScore, maxScore, passed }: FilterSearch): string[] {
  if (evaluator === undefined) return [];
  const key = /^[\w$@/-]+$/.test(evaluator) ? evaluator : `"${evaluator.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const bounds =
    minScore !== undefined && maxScore !== undefined
      ? [`score.${key}:${minScore}..${maxScore}`]
      : [
          ...(minScore === undefined ? [] : [`score.${key}:>=${minScore}`]),
          ...(maxScore === undefined ? [] : [`score.${key}:<=${maxScore}`]),
        ];
  const verdict = passed === undefined ? [] : [`passed.${key}:${passed}`];
  return bounds.length + verdict.length === 0 ? [valueTerm('scored', [writtenValue(evaluator)])] : [...bounds, ...verdict];
}
