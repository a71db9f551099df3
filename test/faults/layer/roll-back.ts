import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readJournal } from './disk-journal.ts';
import type { JournalRecord } from './disk-journal.ts';
import { FileContent } from './file-content.ts';

/**
 * How a power cut changes a directory.
 *
 * File contents: synced changes survive; with `survivors: 'some'` also a random part of the others, with pages torn between sectors.
 *
 * Names (created, renamed, removed): `ordered` models ext4 and XFS, whose journal writes changes of names in order; a sync of any changed
 * file or directory includes all earlier changes. `strict` models POSIX: a name is durable when its own directory was synced after the
 * change; a sync of the file does not make its name durable.
 */
export interface PowerCut {
  names: 'ordered' | 'strict';
  survivors: 'none' | 'some';
  /** From 0 up to 1. */
  random(): number;
}

interface Directory {
  kind: 'directory';
  mode: number;
  entries: Map<string, Node>;
  synced: number;
}
interface File {
  kind: 'file';
  mode: number;
  content: FileContent;
  /** Sequence number of its creation. */
  made: number;
  /** Path of its unchanged bytes, for further links. */
  moved: string | null;
}
interface Link {
  kind: 'link';
  target: string;
}
type Node = Directory | File | Link;

interface NameChange {
  sequence: number;
  /** The changed directories. */
  parents: Directory[];
  carryOut(): void;
}

/** A snapshot of a directory with a copy of its files. */
export class Snapshot {
  readonly directory: string;
  readonly #copy: string;
  readonly #root: Directory;
  readonly #byInode = new Map<number, Node>();

  /** @param copy directory for the copies; replaced */
  constructor(directory: string, copy: string) {
    this.directory = directory;
    this.#copy = copy;
    rmSync(copy, { recursive: true, force: true });
    cpSync(directory, copy, { recursive: true, verbatimSymlinks: true });
    this.#root = this.#scan('') as Directory;
  }

  #scan(path: string): Node {
    const live = join(this.directory, path);
    const found = lstatSync(live);
    let node: Node;
    if (found.isSymbolicLink()) node = { kind: 'link', target: readlinkSync(live) };
    else if (found.isDirectory()) {
      const entries = new Map(readdirSync(live).map((name) => [name, this.#scan(join(path, name))] as const));
      node = { kind: 'directory', mode: found.mode, entries, synced: 0 };
    } else {
      const known = this.#byInode.get(found.ino);
      node = known ?? { kind: 'file', mode: found.mode, content: new FileContent(join(this.#copy, path)), made: 0, moved: null };
    }
    this.#byInode.set(found.ino, node);
    return node;
  }

  /**
   * Replaces the directory by its state after a power cut at the end of the journal; with `cut` null by its state with all changes.
   * Can be called once: it consumes the copy.
   */
  rollBack(journal: Buffer, cut: PowerCut | null, target = this.directory): void {
    const changes = this.#follow(journal);
    this.#reset();
    for (const change of durable(changes, cut)) change.carryOut();
    const survives = cut === null ? () => true : () => cut.survivors === 'some' && cut.random() < 0.5;
    if (cut === null) for (const node of this.#byInode.values()) if (node.kind === 'file') node.content.synced = Infinity;
    const unfinished = `${target}.rolled-back`;
    rmSync(unfinished, { recursive: true, force: true });
    materialise(this.#root, unfinished, survives);
    rmSync(target, { recursive: true, force: true });
    renameSync(unfinished, target);
    rmSync(this.#copy, { recursive: true, force: true });
  }

  readonly #before: Array<[Directory, Map<string, Node>]> = [];

  #reset(): void {
    for (const [directory, entries] of this.#before) directory.entries = entries;
  }

  /** Applies the journal to the tree; returns the changes of names. */
  #follow(journal: Buffer): Array<NameChange & { committed: boolean }> {
    this.#remember(this.#root);
    const changes: Array<NameChange & { committed: boolean }> = [];
    let committedUpTo = 0;
    for (const record of readJournal(journal)) {
      if (record.operation === 'write' || record.operation === 'truncate') this.#change(record);
      else if (record.operation === 'sync') committedUpTo = Math.max(committedUpTo, this.#sync(record.inode, record.upTo));
      else {
        const change = this.#nameChange(record);
        if (!change) continue;
        change.carryOut();
        changes.push({ ...change, committed: false });
      }
    }
    for (const change of changes) change.committed = change.sequence <= committedUpTo;
    return changes;
  }

  #remember(directory: Directory): void {
    this.#before.push([directory, new Map(directory.entries)]);
    for (const node of directory.entries.values()) if (node.kind === 'directory') this.#remember(node);
  }

  #change(record: Extract<JournalRecord, { operation: 'write' | 'truncate' }>): void {
    const node = this.#byInode.get(record.inode);
    if (node?.kind !== 'file') throw new Error(`the journal changes the inode ${record.inode}, which was never created`);
    const { sequence } = record;
    if (record.operation === 'write')
      node.content.changes.push({ sequence, kind: 'write', offset: record.offset, bytes: record.bytes });
    else node.content.changes.push({ sequence, kind: 'truncate', size: record.size });
  }

  /** Returns up to which record a sync makes names durable; a sync of an unchanged file writes no journal. */
  #sync(inode: number, upTo: number): number {
    const node = this.#byInode.get(inode);
    if (!node || node.kind === 'link') return 0;
    if (node.kind === 'directory') {
      node.synced = Math.max(node.synced, upTo);
      return upTo;
    }
    const changed = node.content.pending || node.made > node.content.synced;
    node.content.synced = Math.max(node.content.synced, upTo);
    return changed ? upTo : 0;
  }

  #nameChange(record: Exclude<JournalRecord, { operation: 'write' | 'truncate' | 'sync' }>): NameChange | null {
    const { sequence } = record;
    const at = this.#place(record.path);
    if (!at) return null;
    const change = (parents: Directory[], carryOut: () => void): NameChange => ({ sequence, parents, carryOut });
    switch (record.operation) {
      case 'create':
      case 'mkdir':
      case 'symlink': {
        const node = newNode(record);
        this.#byInode.set(record.inode, node);
        if (node.kind === 'directory') this.#before.push([node, new Map()]);
        return change([at.parent], () => void at.parent.entries.set(at.name, node));
      }
      case 'unlink':
      case 'rmdir':
        return change([at.parent], () => void at.parent.entries.delete(at.name));
      case 'exchange': {
        const to = this.#place(record.to);
        const [first, second] = [at.parent.entries.get(at.name), to?.parent.entries.get(to.name)];
        if (!to || !first || !second) return null;
        return change([to.parent, at.parent], () => {
          at.parent.entries.set(at.name, second);
          to.parent.entries.set(to.name, first);
        });
      }
      case 'rename':
      case 'link': {
        const to = this.#place(record.to);
        const node = at.parent.entries.get(at.name);
        if (!to || !node) return null;
        const moves = record.operation === 'rename';
        return change(moves ? [to.parent, at.parent] : [to.parent], () => {
          if (moves && at.parent.entries.get(at.name) === node) at.parent.entries.delete(at.name);
          to.parent.entries.set(to.name, node);
        });
      }
    }
  }

  /** Resolves a path in the tree, following symbolic links except the last name; null outside of it. */
  #place(path: string): { parent: Directory; name: string } | null {
    const whole = resolve(path);
    const parent = this.#directory(dirname(whole), 0);
    return parent && { parent, name: basename(whole) };
  }

  #directory(path: string, depth: number): Directory | null {
    const names = relative(this.directory, path);
    if (names.startsWith('..') || depth > 10) return null;
    let at: Directory = this.#root;
    let here = this.directory;
    for (const name of names.split('/').filter((part) => part !== '')) {
      const next = at.entries.get(name);
      const resolved = next?.kind === 'link' ? this.#directory(resolve(here, next.target), depth + 1) : next;
      if (resolved?.kind !== 'directory') return null;
      here = join(here, name);
      at = resolved;
    }
    return at;
  }
}

function newNode(record: Extract<JournalRecord, { operation: 'create' | 'mkdir' | 'symlink' }>): Node {
  if (record.operation === 'symlink') return { kind: 'link', target: record.target };
  if (record.operation === 'mkdir') return { kind: 'directory', mode: record.mode, entries: new Map(), synced: 0 };
  return { kind: 'file', mode: record.mode, content: new FileContent(null), made: record.sequence, moved: null };
}

/** The changes of names that survive a power cut. */
function durable(changes: ReadonlyArray<NameChange & { committed: boolean }>, cut: PowerCut | null): readonly NameChange[] {
  if (cut === null) return changes;
  if (cut.names === 'strict') {
    const synced = ({ sequence, parents }: NameChange) => parents.some((parent) => parent.synced >= sequence);
    return changes.filter((change) => synced(change) || (cut.survivors === 'some' && cut.random() < 0.5));
  }
  const committed = changes.filter((change) => change.committed).length;
  const more = cut.survivors === 'some' ? Math.floor(cut.random() * (changes.length - committed + 1)) : 0;
  return changes.slice(0, committed + more);
}

function materialise(node: Node, path: string, survives: () => boolean): void {
  if (node.kind === 'link') symlinkSync(node.target, path);
  else if (node.kind === 'directory') {
    mkdirSync(path);
    for (const [name, child] of node.entries) materialise(child, join(path, name), survives);
    chmodSync(path, node.mode & 0o777);
  } else {
    const bytes = node.moved === null ? node.content.after(survives) : null;
    const source = node.moved ?? node.content.base;
    if (bytes) writeFileSync(path, bytes);
    else if (node.moved === null && source !== null) renameSync(source, path);
    else if (source !== null) copyFileSync(source, path);
    node.moved = path;
    chmodSync(path, node.mode & 0o777);
  }
}

/** Rolls the snapshot's directory back according to a journal file and empties the journal. */
export function cutPower(snapshot: Snapshot, journal: string, cut: PowerCut): void {
  snapshot.rollBack(readFileSync(journal), cut);
  rmSync(journal);
}
