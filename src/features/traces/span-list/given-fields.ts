import type { Filter } from '../../../contract/filter/ast.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import { inheritedTexts } from '../filter/span-values.ts';
import type { TimePart } from './time-part.ts';

/** The columns of the fields that a span has of its trace where it has none of its own. */
const inherited: Readonly<Record<string, string>> = { ...inheritedTexts, tag: 'tags' };

/** Whether a span has a field of its trace where it has none of its own. */
const isInherited = (name: string): boolean => name in inherited;

/** SQL of a row where a span of a part has nothing of its own in a column; also of a replaced one. */
export function absentSql(column: string, { fromNs, toNs }: TimePart): SqlPart {
  return {
    text: `SELECT 1 AS found FROM span_headers
WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64}) AND span_id != '' AND empty(${column})
LIMIT 1`,
    parameters: { from: String(fromNs), to: String(toNs) },
  };
}

/** SQL of a row where a trace of a part, also a replaced one, is of an evaluation. */
export function evaluationSql({ fromNs, toNs }: TimePart): SqlPart {
  return {
    text: `SELECT 1 AS found FROM traces
WHERE origin = 'evaluation' AND newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64})
LIMIT 1`,
    parameters: { from: String(fromNs), to: String(toNs) },
  };
}

/**
 * Those of some fields for which the traces of a part need not be read: every span has the field of its own, or, for `source`, no trace is of an evaluation.
 *
 * @param names of fields; others than `source` and inherited ones are left out
 */
export async function givenFields(reader: TenantReader, names: Iterable<string>, part: TimePart): Promise<ReadonlySet<string>> {
  const given = await Promise.all(
    [...new Set(names)].map(async (name) => {
      if (name !== 'source' && !isInherited(name)) return [];
      const { text, parameters } = name === 'source' ? evaluationSql(part) : absentSql(inherited[name] ?? name, part);
      return (await reader.query(text, parameters)).length === 0 ? [name] : [];
    }),
  );
  return new Set(given.flat());
}

/** The names of the fields that a filter asks a span itself for. */
export function ownFieldsOf(filter: Filter | null): string[] {
  switch (filter?.type) {
    case 'all':
    case 'some':
      return filter.terms.flatMap(ownFieldsOf);
    case 'not':
      return ownFieldsOf(filter.term);
    case 'field':
      return [filter.field.name];
    default:
      return [];
  }
}
