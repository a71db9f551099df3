/** Longer texts are shown as plain text: parsing Markdown takes about a hundred times as long. */
const maxMarkdown = 100_000;
const syntax = /[*_`#[\]|>~]|^ *[-+]|^ *\d+[.)]|https?:/m;
/** Deeper nesting of quotes and lists in one line would exceed the parser's stack. */
const deepNesting = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){12}/m;

/** Whether a text is shown as Markdown: it has some, and can be parsed in a bounded time. */
export function isMarkdown(text: string): boolean {
  return text.length <= maxMarkdown && syntax.test(text) && !deepNesting.test(text);
}

/**
 * Divides Markdown into blocks that are parsed one by one: at blank lines outside of code fences, else at a line or within one. Joined with
 * nothing between them they are the text. Pure function.
 *
 * @param size maximum characters of a block
 */
export function markdownBlocks(text: string, size: number): string[] {
  const blocks: string[] = [];
  let block = '';
  let fence: string | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isBetween = fence === null && line.trim() === '' && block.length >= size / 2;
    if (isBetween || block.length + line.length > size) {
      if (block !== '') blocks.push(block);
      block = '';
    }
    if (mark !== undefined) fence = fence === null ? mark : mark.startsWith(fence) ? null : fence;
    block += line;
    while (block.length > size) {
      blocks.push(block.slice(0, size));
      block = block.slice(size);
    }
  }
  return block === '' ? blocks : [...blocks, block];
}
