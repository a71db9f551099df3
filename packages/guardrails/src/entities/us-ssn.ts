import { isAlphanumeric, isDigit, seekBy, spacesEnd } from '../scanner.ts';
import type { Reader } from '../scanner.ts';
import { hasWord, wordsAfter, wordsBefore } from './context.ts';
import { entity } from './entity.ts';
import type { Entity } from './entity.ts';

const context = ['ssn', 'ssns', 'social', 'ss#', 'ssn#', 'ssid', 'itin', 'taxpayer'];

/**
 * Social security numbers of the United States: nine digits with hyphens, spaces or full stops, or without beside a word such as `SSN`. Areas
 * 000, 666 and 900-999, group 00 and serial 0000 are not given out.
 */
export const usSsn: Entity<'us_ssn'> = entity('US social security number', {
  label: 'us_ssn',
  begins: isDigit,
  seek: seekBy(/(?<!\w)\d{3}(?:[-.]| {1,3})?\d\d(?:[-.]| {1,3})?\d{4}/g),
  attempt,
});

function attempt(reader: Reader, start: number): number {
  const before = reader.at(start - 1);
  if (isAlphanumeric(before) || before === 95 || ((before === 45 || before === 46) && isAlphanumeric(reader.at(start - 2))))
    return -1;
  if (reader.run(start, isDigit, 3) - start !== 3) return -1;
  const separator = reader.at(start + 3);
  const separated = separator === 45 || separator === 32 || separator === 46;
  if (!separated && !isDigit(separator)) return -1;
  const group = separated ? separatorEnd(reader, start + 3) : start + 3;
  if (reader.run(group, isDigit, 2) - group !== 2) return -1;
  if (separated && reader.at(group + 2) !== separator) return -1;
  const serial = separated ? separatorEnd(reader, group + 2) : group + 2;
  if (reader.run(serial, isDigit, 4) - serial !== 4) return -1;
  const end = serial + 4;
  const after = reader.at(end);
  if (isAlphanumeric(after) || after === 95 || (after === 45 && isDigit(reader.at(end + 1)))) return -1;
  const area = reader.text.slice(start, start + 3);
  const impossible = area === '000' || area === '666' || area >= '900';
  if (impossible || reader.text.slice(group, group + 2) === '00' || reader.text.slice(serial, end) === '0000') return -1;
  if (separated) return end;
  return hasWord(wordsBefore(reader, start), context) || hasWord(wordsAfter(reader, end), context) ? end : -1;
}

/** The end of a separator: one hyphen or full stop, or spaces. */
function separatorEnd(reader: Reader, at: number): number {
  return reader.at(at) === 32 ? spacesEnd(reader, at) : at + 1;
}
