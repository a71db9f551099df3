import { readFileSync } from 'node:fs';

export type ContentChange =
  | { sequence: number; kind: 'write'; offset: number; bytes: Buffer }
  | { sequence: number; kind: 'truncate'; size: number };

/** Decides whether an unsynced piece reached the disk. */
export type Survives = () => boolean;

const pageBytes = 4096;
const sectorBytes = 512;

/** The content of a file and the changes since. */
export class FileContent {
  /** Path of its earlier bytes; null for a new file. */
  readonly base: string | null;
  readonly changes: ContentChange[] = [];
  /** Changes up to this sequence are durable. */
  synced = 0;

  constructor(base: string | null) {
    this.base = base;
  }

  /** Whether it has unsynced changes. */
  get pending(): boolean {
    return (this.changes.at(-1)?.sequence ?? 0) > this.synced;
  }

  /**
   * The bytes after a power cut: all synced changes and the surviving pieces of the others. A page is written whole or torn between
   * sectors. null when they equal `base`.
   */
  after(survives: Survives): Buffer | null {
    const changes = this.changes.flatMap((change) => (change.sequence <= this.synced ? [change] : remains(change, survives)));
    if (changes.length === 0 && this.base !== null) return null;
    let content = this.base === null ? Buffer.alloc(0) : readFileSync(this.base);
    const largest = changes.reduce(
      (size, change) => Math.max(size, change.kind === 'write' ? change.offset + change.bytes.length : change.size),
      content.length,
    );
    let size = content.length;
    content = Buffer.concat([content], largest);
    for (const change of changes) {
      if (change.kind === 'write') {
        change.bytes.copy(content, change.offset);
        size = Math.max(size, change.offset + change.bytes.length);
      } else {
        if (change.size < size) content.fill(0, change.size, size);
        size = change.size;
      }
    }
    return content.subarray(0, size);
  }
}

function remains(change: ContentChange, survives: Survives): ContentChange[] {
  if (change.kind === 'truncate') return survives() ? [change] : [];
  const kept: ContentChange[] = [];
  for (const page of pieces(change, pageBytes)) {
    // One page in four is torn.
    const torn = survives() && survives();
    if (torn) kept.push(...pieces(page, sectorBytes).filter(() => survives()));
    else if (survives()) kept.push(page);
  }
  return kept;
}

type Write = Extract<ContentChange, { kind: 'write' }>;

/** Divides a write at multiples of `unit` within the file. */
function pieces(write: Write, unit: number): Write[] {
  const divided: Write[] = [];
  for (let from = 0; from < write.bytes.length;) {
    const to = Math.min(write.bytes.length, from + unit - ((write.offset + from) % unit));
    divided.push({ ...write, offset: write.offset + from, bytes: write.bytes.subarray(from, to) });
    from = to;
  }
  return divided;
}
