import { ServiceError } from '../../../contract/errors.ts';
import type { Filter } from '../../../contract/filter/ast.ts';
import type { FilterSubject } from '../../../contract/filter/fields.ts';
import { findFieldName, readListFilter } from '../../../contract/filter/read-filter.ts';
import { printField } from '../../../contract/filter/print.ts';
import type { Facet, FacetsQuery } from '../../../contract/spans.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import type { WithView } from '../../views/index.ts';
import { sourceOf } from '../partly-expired.ts';
import { readingOfAll, readingOfSpans, searchTexts } from '../text-search/text-search.ts';
import { asksForSource } from '../filter/origin.ts';
import { textsOf } from '../filter/texts-of.ts';
import { timeRange } from '../time-range.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { facetNumber, facetSource } from './facet-fields.ts';
import type { FacetNumber, FacetSource } from './facet-fields.ts';
import { foundValues, numberedRows, rowsOf } from './facet-rows.ts';
import type { Counted, Matching } from './facet-rows.ts';
import { maxValues, readOwnFacets } from './own-facets.ts';
import type { ValuesFacet } from './own-facets.ts';
import { ownFieldsOf } from './given-fields.ts';
import { allLots, givenOf } from './span-listing.ts';
import { isOfHeaders, tableOfSpans } from './span-table.ts';

/** Buckets of the facet of a number. */
const bucketCount = 20;

/** When values are counted in a sample of the spans. */
export interface Sampling {
  /** Up to this number of spans all are counted. */
  exactUpTo: number;
  /** Spans of a sample. */
  size: number;
}

/** A share of 200,000 spans is within a percentage point of that of all, and nearly always within a quarter of one. */
const sampling: Sampling = { exactUpTo: 2_000_000, size: 400_000 };

/**
 * The values of fields with their counts among what a filter matches, without the field's own terms (docs/filter.md). Values that spans have themselves are always
 * counted in all of them, in one reading for all fields with the same filter; others, such as what they have of their traces, in a sample of many spans.
 *
 * Errors: `invalid_request` for an invalid range and for a field without values to count, `invalid_filter`.
 */
export async function listFacets(
  context: Pick<TracesContext, 'clickhouse' | 'clock' | 'search'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  query: WithView<FacetsQuery>,
  sampled = sampling,
): Promise<{ facets: Facet[]; sampled: boolean }> {
  const nowMs = context.clock.now();
  const { on } = query;
  const filter = readListFilter(query, on, nowMs);
  const range = timeRange(query, nowMs);
  const fields = query.field.map((name) => readField(name, on, nowMs));
  const readers = readersFor(context, tenant);
  // A partly expired trace is counted by what is left of it; to its spans it lends nothing.
  const { reader, partlyExpired } =
    on === 'spans' ? { reader: readers.whole, partlyExpired: null } : await sourceOf(readers, range.fromNs);
  const readTexts = async () => {
    if (on === 'spans') return readingOfSpans(context.search, reader, tenant.projectId, filter, range);
    return readingOfAll(await searchTexts(context.search, reader, tenant.projectId, filter === null ? [] : textsOf(filter)));
  };
  const reading = await readTexts();
  const tableOf = on === 'spans' ? filter : null;
  const table = await tableOfSpans(context.search, tenant.projectId, tableOf, reading);
  const names = on === 'spans' ? [...ownFieldsOf(filter), ...fields.map(({ field }) => field.name)] : [];
  const given = await givenOf(reader, table, names, range);
  const asked = fields.map((counted): Asked => {
    const counting = withoutField(filter, counted);
    const matching: Matching = {
      on,
      range,
      filter: counting,
      anySource: asksForSource(filter),
      partlyExpired,
      reading,
      table,
      given,
    };
    const source = facetSource(counted.field, on);
    return { counted, source, matching: isOfHeaders(counted.field.name) ? matching : { ...matching, table: 'spans' } };
  });
  return new FacetsReader(reader, sampled).read(asked);
}

/** A facet that is asked for. */
interface Asked {
  counted: Counted;
  /** null for a number. */
  source: FacetSource | null;
  matching: Matching;
}

/** Reads the facets of one request. */
class FacetsReader {
  readonly #reader: TenantReader;
  readonly #sampling: Sampling;
  /** By filter: the number of spans that match. */
  readonly #totals = new Map<string, Promise<number>>();
  #sampled = false;

  constructor(reader: TenantReader, sampled: Sampling) {
    this.#reader = reader;
    this.#sampling = sampled;
  }

  async read(asked: readonly Asked[]): Promise<{ facets: Facet[]; sampled: boolean }> {
    const own = await this.#ownFacets(asked);
    const facets = await Promise.all(asked.map((one) => own.get(one) ?? this.#facetOf(one)));
    return { facets, sampled: this.#sampled };
  }

  /** The facets that the spans' own values give, one statement for those with the same filter. */
  async #ownFacets(asked: readonly Asked[]): Promise<Map<Asked, Facet>> {
    // Where each span has a value of its own, what is joined adds nothing.
    const withOwn = asked.filter(
      ({ matching, source, counted }) =>
        matching.on === 'spans' &&
        source?.own !== undefined &&
        (source.joined === undefined || matching.given?.has(counted.field.name)),
    );
    const found = new Map<Asked, Facet>();
    const groups = [...Map.groupBy(withOwn, ({ matching }) => keyOf(matching))];
    await Promise.all(
      groups.map(async ([key, group]) => {
        const [{ matching }] = group as [Asked];
        const fields = group.map(({ counted, source }) => ({ counted, own: source?.own ?? '' }));
        const facets = await readOwnFacets(fields, matching, this.#reader);
        this.#totals.set(key, Promise.resolve(facets[0]?.total ?? 0));
        for (const [index, facet] of facets.entries()) {
          const one = group[index];
          if (one) found.set(one, facet);
        }
      }),
    );
    return found;
  }

  async #facetOf({ counted, source, matching }: Asked): Promise<Facet> {
    if (source === null)
      return numbersOf(
        counted,
        facetNumber(counted.field, matching.on) ?? { of: 'row', expression: '0' },
        matching,
        this.#reader,
      );
    if (matching.on === 'traces') return valuesOf(counted, source, matching, this.#reader);
    const total = await this.#totalOf(matching);
    if (total <= this.#sampling.exactUpTo) return valuesOf(counted, source, matching, this.#reader);
    this.#sampled = true;
    const lots = Math.ceil((this.#sampling.size / total) * allLots);
    return scaled(await valuesOf(counted, source, { ...matching, lots }, this.#reader), total);
  }

  #totalOf(matching: Matching): Promise<number> {
    const key = keyOf(matching);
    const known = this.#totals.get(key) ?? countRows(matching, this.#reader);
    this.#totals.set(key, known);
    return known;
  }
}

const keyOf = ({ table, filter }: Matching) => JSON.stringify([table, filter]);

async function countRows(matching: Matching, reader: TenantReader): Promise<number> {
  const { text, parameters } = rowsOf(matching);
  const [row] = await reader.query<{ total: number }>(`SELECT count() AS total FROM ${text}`, parameters);
  return row?.total ?? 0;
}

/** The facet of all spans by that of a sample. */
function scaled({ field, values, other, missing, total: sample }: ValuesFacet, total: number): ValuesFacet {
  const ofAll = (count: number) => Math.round((count * total) / Math.max(sample, 1));
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count: ofAll(count) })),
    other: ofAll(other),
    missing: ofAll(missing),
    total,
  };
}

/** The field that a text names. Errors: `invalid_request` where it is none, or has no values to count. */
function readField(name: string, on: FilterSubject, nowMs: number): Counted {
  const term = findFieldName(name, on, nowMs);
  if (term !== null && (facetSource(term.field, on) !== null || facetNumber(term.field, on) !== null)) return term;
  throw new ServiceError(
    'invalid_request',
    `Send fields whose values can be counted, such as model or latency; ${name} is none.`,
    {
      details: [{ path: '/field', message: `${name} has no values to count` }],
    },
  );
}

/** A filter without the terms of a field among those that must all hold. */
function withoutField(filter: Filter | null, counted: Counted): Filter | null {
  if (filter === null) return null;
  const name = printField(counted);
  const isOwn = (term: Filter): boolean =>
    term.type === 'not' ? isOwn(term.term) : term.type === 'field' && printField(term) === name;
  const terms = (filter.type === 'all' ? filter.terms : [filter]).filter((term) => !isOwn(term));
  return terms.length === 0 ? null : { type: 'all', terms };
}

/** SQL of {@link valuesOf}: of kind 0 the number of rows, of kind 1 those without a value, of kind 2 the values. */
export function facetValuesSql(counted: Counted, source: FacetSource, matching: Matching): SqlPart {
  const { text, parameters } = foundValues(counted, source, matching);
  return {
    text: `SELECT pair.1 AS kind, pair.2 AS value, rows, whole FROM (
  SELECT pair, count() AS rows, sum(rows) OVER (PARTITION BY pair.1) AS whole FROM (
    SELECT arrayJoin(arrayConcat([(0, '')], if(empty(found), [(1, '')], arrayMap(v -> (2, v), found)))) AS pair FROM (
      ${indented(text, 6)}
    )
  )
  GROUP BY pair
)
ORDER BY kind, rows DESC, value
LIMIT ${maxValues + 2}`,
    parameters,
  };
}

async function valuesOf(counted: Counted, source: FacetSource, matching: Matching, reader: TenantReader): Promise<ValuesFacet> {
  const { text, parameters } = facetValuesSql(counted, source, matching);
  const read = await reader.query<{ kind: number; value: string; rows: number; whole: number }>(text, parameters);
  const values = read.filter(({ kind }) => kind === 2).slice(0, maxValues);
  const shown = values.reduce((sum, { rows }) => sum + rows, 0);
  const numberOf = (wanted: number) => read.find(({ kind }) => kind === wanted)?.rows ?? 0;
  return {
    field: printField(counted),
    values: values.map(({ value, rows }) => ({ value, count: rows })),
    other: (values[0]?.whole ?? 0) - shown,
    missing: numberOf(1),
    total: numberOf(0),
  };
}

async function numbersOf(counted: Counted, found: FacetNumber, matching: Matching, reader: TenantReader): Promise<Facet> {
  const [number, rows] = numberedRows(counted, found, matching);
  const field = printField(counted);
  const [sums] = await reader.query<{ least: number | null; most: number | null; present: number; total: number }>(
    facetRangeSql(number, rows).text,
    rows.parameters,
  );
  const { present, total } = sums ?? { present: 0, total: 0 };
  if (!sums || sums.least === null || sums.most === null)
    return { field, min: null, max: null, buckets: [], missing: total, total };
  const [min, max] = [sums.least, sums.most];
  const width = (max - min) / bucketCount;
  const { text, parameters } = facetBucketsSql(number, rows, min, width);
  const counts = await reader.query<{ bucket: number; rows: number }>(text, parameters);
  const countOf = new Map(counts.map(({ bucket, rows: count }) => [bucket, count]));
  const edge = (index: number) => (index === bucketCount ? max : min + index * width);
  const buckets = Array.from({ length: bucketCount }, (_, index) => ({
    from: edge(index),
    to: edge(index + 1),
    count: countOf.get(index) ?? 0,
  }));
  return { field, min, max, buckets, missing: total - present, total };
}

/** SQL of the smallest and the largest number of the rows. */
export function facetRangeSql(number: string, rows: SqlPart): SqlPart {
  return {
    text: `SELECT min(n) AS least, max(n) AS most, count(n) AS present, count() AS total FROM (SELECT toNullable(${number}) AS n FROM ${rows.text})`,
    parameters: rows.parameters,
  };
}

/** SQL of the numbers of rows by bucket. */
export function facetBucketsSql(number: string, rows: SqlPart, min: number, width: number): SqlPart {
  return {
    text: `SELECT if({width:Float64} = 0, 0, least(toUInt32((assumeNotNull(n) - {min:Float64}) / {width:Float64}), ${bucketCount - 1})) AS bucket, count() AS rows
FROM (SELECT toNullable(${number}) AS n FROM ${rows.text})
WHERE isNotNull(n)
GROUP BY bucket`,
    parameters: { ...rows.parameters, min, width },
  };
}
