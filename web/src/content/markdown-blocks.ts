/** Longer texts are shown as plain text: parsing Markdown takes about a hundred times as long. */
const maxMarkdown = 100_000;
const syntax = /[*_`#[\]|>~]|^ *[-+]|^ *\d+[.)]|https?:/m;
/** Deeper nesting of quotes and lists in one line would exceed the parser's stack. */
const deepNesting = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){12}/m;
const openingFence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const closingFence = /^ {0,3}(`{3,}|~{3,})\s*$/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** The row of dashes below the header of a table. */
const tableDashes = /^[|:\- \t]+\r?\n?$/;

/** Whether a text is shown as Markdown: it has some, and can be parsed in a bounded time. */
export function isMarkdown(text: string): boolean {
  return text.length <= maxMarkdown && syntax.test(text) && !deepNesting.test(text);
}

/** A part of a Markdown text that is parsed alone. */
export interface MarkdownBlock {
  /** The part as it stands in the text. */
  source: string;
  /** The part as it is parsed: of a divided code block each part has the fences, of a divided table the header. */
  text: string;
}

/**
 * Divides Markdown into blocks that are parsed one by one: between paragraphs, lists, tables and code blocks, and within one of them only if it is longer than
 * `size`. The sources of the blocks, one after the other, are the text. Pure function.
 *
 * @param size maximum characters of a block's source
 */
export function markdownBlocks(text: string, size: number): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let last: MarkdownBlock | undefined;
  for (const part of partsOf(text).flatMap((whole) => divided(whole, size))) {
    if (last && last.source.length + part.source.length <= size) {
      last.source += part.source;
      last.text += part.text;
    } else {
      last = { ...part };
      blocks.push(last);
    }
  }
  return blocks;
}

function isDashes(line: string): boolean {
  return line.includes('-') && tableDashes.test(line);
}

interface Part {
  lines: string[];
  /** Lines at the beginning that each block of a divided part begins with. */
  repeated: number;
  /** What each block of a divided part but the last ends with. */
  closing: string;
}

/**
 * The code blocks, tables, list items and other parts of a text. What is neither begins a part after a blank line if it is not indented: an item goes on over
 * blank lines.
 */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  let part: Part | undefined;
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (part && fence !== null) {
      part.lines.push(line);
      const end = closingFence.exec(line)?.[1];
      if (end?.startsWith(fence)) [part, fence] = [undefined, null];
      continue;
    }
    const isBlank = line.trim() === '';
    const isTable = part?.repeated === 2;
    const opening = openingFence.exec(line)?.[1];
    const startsTable = !isTable && line.includes('|') && isDashes(lines[index + 1] ?? '');
    const begins = listItem.test(line) || (part?.lines.at(-1)?.trim() === '' && /^\S/.test(line));
    if (part && opening === undefined && !startsTable && (isTable ? !isBlank : !begins)) {
      part.lines.push(line);
      continue;
    }
    part = {
      lines: [line],
      repeated: startsTable ? 2 : opening === undefined ? 0 : 1,
      closing: opening === undefined ? '' : `${opening}\n`,
    };
    fence = opening ?? null;
    parts.push(part);
  }
  return parts;
}

function slices(line: string, size: number): string[] {
  return Array.from({ length: Math.ceil(line.length / size) }, (_, index) => line.slice(index * size, (index + 1) * size));
}

function divided({ lines, repeated, closing }: Part, size: number): MarkdownBlock[] {
  const source = lines.join('');
  if (source.length <= size) return [{ source, text: source }];
  const start = lines.slice(0, repeated).join('');
  // A long first line is not worth repeating.
  const [before, after] = start.length <= size / 4 ? [start, closing] : ['', ''];
  const pieces: string[] = [];
  for (const piece of lines.flatMap((line) => slices(line, size))) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + piece.length <= size) pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces.map((piece, index) => {
    const opened = index === 0 ? piece : before + piece;
    const isLast = index === pieces.length - 1;
    return { source: piece, text: isLast || after === '' ? opened : `${opened}${opened.endsWith('\n') ? '' : '\n'}${after}` };
  });
}
