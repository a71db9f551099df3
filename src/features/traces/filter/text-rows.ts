import { allOf } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { foldedText, foldedTexts } from '../../trace-store/index.ts';
import { Binder } from './binder.ts';
import { searched } from './value-conditions.ts';
import type { TextReading } from './text-reading.ts';
import { wordsOf } from './words-of.ts';

/** The condition that a row of `span_texts` contains a text: exact, and by the index of words where that can find it. */
export function rowContains(text: string, binder: Binder, hasWords: boolean): string {
  const exact = `(${searched(text, binder).join(' OR ')})`;
  const indexed = hasWords ? byWords(text, binder) : null;
  return indexed === null ? exact : `${indexed} AND ${exact}`;
}

/** Whether the index of words can find a text. Else the texts are read. */
export function isIndexed(text: string): boolean {
  return writtenForms(text).every((form) => wordsOf(form) !== null);
}

/** A text, and as it is escaped in JSON where that is different. */
function writtenForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped === text ? [text] : [text, escaped];
}

/** The condition that a row may contain a text, by the index; null when the index cannot find it. */
function byWords(text: string, binder: Binder): string | null {
  if (!isIndexed(text)) return null;
  const forms = writtenForms(text).map((form) => {
    const { whole, parts } = wordsOf(form) ?? { whole: [], parts: [] };
    const folded = whole.map((word) => foldedText(binder.bind(word, 'String')));
    return [
      ...(folded.length === 0 ? [] : [`hasAllTokens(${foldedTexts}, [${folded.join(', ')}])`]),
      ...parts.map((part) => `${foldedTexts} LIKE ${binder.bind(`%${part}%`, 'String')}`),
    ].join(' AND ');
  });
  return forms.length === 1 ? (forms[0] ?? null) : `(${forms.map((form) => `(${form})`).join(' OR ')})`;
}

/** FROM and WHERE of the rows of `span_texts` that contain all texts. */
export function textRows(texts: readonly string[], { hasWords, within }: TextReading): SqlPart {
  const binder = new Binder('text');
  const conditions = texts.map((text) => rowContains(text, binder, hasWords));
  const where = allOf([...(within === null ? [] : [within]), binder.part(conditions.join(' AND '))]);
  return { text: `span_texts\nWHERE ${where.text}`, parameters: where.parameters };
}
