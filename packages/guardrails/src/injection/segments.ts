import type { MappedText } from '../mapped-text.ts';

/** A sentence or line of a text: a range of UTF-16 units. */
export interface Segment {
  start: number;
  end: number;
}

/** Units of the original behind the last end of a sentence from which words end segments too. */
export const longSegment = 500;

/**
 * The sentences and lines of a text. One ends with its full stop, question or exclamation mark and what closes quotes and brackets, where white space or an East
 * Asian character follows; at a line break; and, more than {@link longSegment} units behind such an end, after some words, which are drawn by their last
 * letters. So what ends a segment is always near it.
 *
 * @param text that of the form, in lower case
 *
 * @returns the segments, and where the last one begins that appended text may continue
 */
export function segmentsOf(text: string, form: MappedText): { segments: Segment[]; openFrom: number } {
  const segments: Segment[] = [];
  let start = 0;
  let lastEnd = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 46 && unit < 128 && unit !== 63) continue;
    const ends = endsSentence(text, at, unit);
    if (!ends && (form.startOf(at) - lastEnd < longSegment || !endsLongSegment(text, at, unit))) continue;
    if (ends) lastEnd = form.startOf(at) + 1;
    if (at + 1 > start) segments.push({ start, end: at + 1 });
    start = at + 1;
  }
  if (start < text.length) segments.push({ start, end: text.length });
  return { segments, openFrom: start };
}

/** Whether a sentence or line ends behind the unit at an offset. */
function endsSentence(text: string, at: number, unit: number): boolean {
  if (unit === 10 || unit === 0x3002 || unit === 0x2028 || unit === 0x2029) return true;
  if (unit === 32 || unit === 9 || unit === 13) {
    // White space behind the end of a sentence belongs to it.
    let before = at - 1;
    while (before >= 0 && at - before < 4 && isClosing(text.charCodeAt(before))) before -= 1;
    return isStop(text.charCodeAt(before));
  }
  return isStop(unit) && unit !== 46 && text.charCodeAt(at + 1) >= 0x2e80;
}

function isStop(unit: number): boolean {
  return unit === 46 || unit === 33 || unit === 63 || unit === 0x061f || unit === 0x0964;
}

function isClosing(unit: number): boolean {
  return (
    unit === 34 ||
    unit === 39 ||
    unit === 41 ||
    unit === 93 ||
    unit === 0xbb ||
    unit === 0x2019 ||
    unit === 0x201c ||
    unit === 0x201d
  );
}

/** Whether a space behind one word in eight or so, by its last letters. */
function endsLongSegment(text: string, at: number, unit: number): boolean {
  return unit === 32 && (text.charCodeAt(at - 1) * 7 + text.charCodeAt(at - 2) * 3) % 8 === 0;
}
