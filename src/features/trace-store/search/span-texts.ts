import type { RowsCopy, TenantTables } from '../../../platform/clickhouse/index.ts';

/** The columns in which a text is searched (docs/filter.md). */
const searched = ['name', 'error_code', 'error_message', 'input', 'output'];
const columns = ['project_id', 'start_time', 'trace_id', 'span_id', 'version', 'is_deleted', ...searched];

/**
 * Table `span_texts`: the searchable texts of each version of a span, in the order of time (ADR 0031). Written before its row of `spans`: what a read finds here is
 * that span where it still has this version.
 */
export const spanTexts: RowsCopy & { tenant: TenantTables[string] } = {
  table: 'span_texts',
  columns,
  tenant: { timeColumn: 'start_time', timeType: 'DateTime64' },
};

/** The name of the index of words. */
export const wordsIndex = 'words';

const joined = `concat(${searched.join(`, '\\n', `)})`;

/**
 * What the index of words is made of. Texts that are equal for `positionCaseInsensitiveUTF8`, which compares single letters, are equal when they are folded; folding
 * makes a few more equal. Only texts with other than ASCII letters are folded, since that takes ten times as long.
 */
export const foldedTexts = `if(isValidASCII(${joined}), lower(${joined}), caseFoldUTF8(${joined}))`;

/** SQL of a text as {@link foldedTexts} has it. @param text SQL of a constant */
export const foldedText = (text: string) => `caseFoldUTF8(${text})`;
