import { promptBounds } from '../../contract/prompts.ts';
import type { PromptType } from '../../contract/prompts.ts';
import { partsOf, referenceKey, shownReference } from './references.ts';
import type { Reference } from './references.ts';
import { messagesOf } from './stored-prompt.ts';

/** A stored version, as far as references go. */
export interface Source {
  id: string;
  familyId: string;
  name: string;
  version: number;
  type: PromptType;
  prompt: string;
}

/** Finds what references mean at this moment, within one project. */
export interface SourceReader {
  /** By {@link referenceKey}; those that lead nowhere are missing. `bytes`: of the prompt. */
  find(references: readonly Reference[]): Promise<Map<string, { id: string; bytes: number }>>;
  read(ids: readonly string[]): Promise<Source[]>;
}

/** A text, or the messages of a chat prompt. */
export type ResolvedPrompt = string | unknown[];

/** Why a prompt cannot be resolved; the message is a sentence for people. */
export class ResolutionError extends Error {}

/** Deepest chain of references (contract section 6). */
const deepest = 10;
/** What resolving one prompt may read, and follow: a hostile one refers to more than it ever shows. */
const mostSources = 1_000;
const mostSourceBytes = 8 * 1_048_576;
const mostReferences = 10_000;
/** What is kept for the next prompt of a list, and about what a reference adds to its text there. */
const mostHeldBytes = 16 * 1_048_576;
const referenceBytes = 100;

interface Node {
  source: Source;
  /** The texts in which references stand: one, or each message's content. */
  texts: Array<Array<string | Reference>>;
  references: Reference[];
  /** UTF-8 bytes once resolved, and the longest chain of references; null while they are being worked out. */
  measured: { bytes: number; depth: number } | null | undefined;
}

/** Replaces references by what they refer to. Serves a list: what one prompt needed is not read, parsed or measured again for the next. */
export class PromptResolver {
  readonly #reader: SourceReader;
  #targets = new Map<string, { id: string; bytes: number }>();
  #nodes = new Map<string, Node>();
  #heldBytes = 0;

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /**
   * Errors: {@link ResolutionError} for a cycle, a missing reference, one to a chat prompt, depth over 10, over 1 MB resolved, or
   * over 1,000 prompts, 8 MB or 10,000 references to be read.
   *
   * @returns with the families that the prompt itself refers to
   */
  async resolve(root: Source): Promise<{ resolved: ResolvedPrompt; familyIds: string[] }> {
    if (this.#heldBytes > mostHeldBytes) this.#forget();
    const node = this.#nodes.get(root.id) ?? nodeOf(root);
    const graph = new Graph(await this.#load(node), this.#targets);
    graph.measure(node, []);
    const familyIds = new Set(node.references.map((reference) => graph.target(reference).source.familyId));
    return { resolved: graph.build(node), familyIds: [...familyIds] };
  }

  #forget(): void {
    this.#targets = new Map();
    this.#nodes = new Map();
    this.#heldBytes = 0;
  }

  /** Everything that can be reached, level by level. */
  async #load(root: Node): Promise<Map<string, Node>> {
    const nodes = new Map([[root.source.id, root]]);
    let level = [root];
    let bytes = 0;
    let count = 0;
    for (let depth = 1; ; depth++) {
      for (const { references } of level) count += references.length;
      if (count > mostReferences)
        throw new ResolutionError(
          `The prompt and those that it refers to have more than ${mostReferences} references; take references out.`,
        );
      const wanted = new Map(
        level.flatMap(({ references }) => references).map((reference) => [referenceKey(reference), reference]),
      );
      if (wanted.size === 0) return nodes;
      const targets = await this.#find(wanted);
      const fresh = new Map(targets.filter(({ id }) => !nodes.has(id)).map((target) => [target.id, target]));
      for (const target of fresh.values()) bytes += target.bytes;
      if (nodes.size + fresh.size > mostSources || bytes > mostSourceBytes)
        throw new ResolutionError(`The prompt refers to more than ${mostSources} others or 8 MB of them; take references out.`);
      if (fresh.size > 0 && depth > deepest) throw tooDeep();
      level = await this.#read([...fresh.keys()]);
      for (const node of level) nodes.set(node.source.id, node);
    }
  }

  async #find(wanted: ReadonlyMap<string, Reference>): Promise<Array<{ id: string; bytes: number }>> {
    const unknown = [...wanted].filter(([key]) => !this.#targets.has(key)).map(([, reference]) => reference);
    if (unknown.length > mostSources)
      throw new ResolutionError(`The prompt refers to more than ${mostSources} others; take references out.`);
    if (unknown.length > 0) for (const [key, target] of await this.#reader.find(unknown)) this.#targets.set(key, target);
    return [...wanted].map(([key, reference]) => {
      const target = this.#targets.get(key);
      if (target) return target;
      throw new ResolutionError(
        `The reference ${shownReference(reference)} leads nowhere; create that prompt, version or label first, or correct the reference.`,
      );
    });
  }

  async #read(ids: readonly string[]): Promise<Node[]> {
    const unknown = ids.filter((id) => !this.#nodes.has(id));
    if (unknown.length > 0) {
      for (const source of await this.#reader.read(unknown)) {
        const node = nodeOf(source);
        this.#nodes.set(source.id, node);
        this.#heldBytes += source.prompt.length + node.references.length * referenceBytes;
      }
    }
    return ids.map((id) => {
      const node = this.#nodes.get(id);
      if (!node) throw new ResolutionError('A prompt that is referred to has just been deleted; try again.');
      return node;
    });
  }
}

/** Versions and what their references lead to. */
class Graph {
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #targets: ReadonlyMap<string, { id: string }>;
  /** Text prompts that have been put together. */
  readonly #texts = new Map<Node, string>();

  constructor(nodes: ReadonlyMap<string, Node>, targets: ReadonlyMap<string, { id: string }>) {
    this.#nodes = nodes;
    this.#targets = targets;
  }

  target(reference: Reference): Node {
    const node = this.#nodes.get(this.#targets.get(referenceKey(reference))?.id ?? '');
    if (!node) throw new Error('a reference was not loaded');
    return node;
  }

  /**
   * Works out how large and deep a prompt becomes before anything of it is put together.
   *
   * @param path what led here, for the message about a cycle
   */
  measure(node: Node, path: readonly Node[]): { bytes: number; depth: number } {
    if (node.measured === null) throw cycle([...path.slice(path.indexOf(node)), node]);
    if (node.measured) return node.measured;
    if (path.length > deepest) throw tooDeep();
    node.measured = null;
    try {
      const measured = this.#measured(node, [...path, node]);
      node.measured = measured;
      return measured;
    } finally {
      // It may be measured again for the next prompt of a list.
      node.measured ??= undefined;
    }
  }

  /** The prompt with its references replaced; measured before. */
  build(node: Node): ResolvedPrompt {
    if (node.source.type === 'text') return this.#text(node);
    return messagesOf(node.source.prompt).map((message, index) => ({ ...message, content: this.#join(node.texts[index] ?? []) }));
  }

  #measured(node: Node, path: readonly Node[]): { bytes: number; depth: number } {
    const measured = { bytes: 0, depth: 0 };
    const seen = new Map<string, number>();
    for (const part of node.texts.flat()) {
      if (typeof part === 'string') measured.bytes += Buffer.byteLength(part);
      else measured.bytes += this.#bytesOf(part, seen, measured, path);
      if (measured.bytes > promptBounds.promptBytes)
        throw new ResolutionError(
          'The prompt is larger than 1 MB once its references are replaced; shorten it or what it refers to.',
        );
    }
    if (measured.depth > deepest) throw tooDeep();
    return measured;
  }

  #bytesOf(reference: Reference, seen: Map<string, number>, within: { depth: number }, path: readonly Node[]): number {
    const key = referenceKey(reference);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const target = this.target(reference);
    if (target.source.type === 'chat')
      throw new ResolutionError(
        `The reference ${shownReference(reference)} leads to a chat prompt; only text prompts can be inserted.`,
      );
    const { bytes, depth } = this.measure(target, path);
    within.depth = Math.max(within.depth, depth + 1);
    seen.set(key, bytes);
    return bytes;
  }

  #text(node: Node): string {
    const known = this.#texts.get(node);
    if (known !== undefined) return known;
    const text = this.#join(node.texts[0] ?? []);
    this.#texts.set(node, text);
    return text;
  }

  #join(parts: ReadonlyArray<string | Reference>): string {
    return parts.map((part) => (typeof part === 'string' ? part : this.#text(this.target(part)))).join('');
  }
}

function nodeOf(source: Source): Node {
  const contents = source.type === 'text' ? [source.prompt] : messagesOf(source.prompt).map(({ content }) => content);
  // One more than there may be is enough to refuse it.
  const texts = contents.map((content) => partsOf(content, mostReferences + 1));
  return { source, texts, references: texts.flat().filter((part) => typeof part !== 'string'), measured: undefined };
}

function tooDeep(): ResolutionError {
  return new ResolutionError(`References lead deeper than ${deepest} prompts; refer to the inner ones directly.`);
}

function cycle(nodes: readonly Node[]): ResolutionError {
  const names = nodes.map(({ source }) => `${source.name} (version ${source.version})`);
  return new ResolutionError(`The prompt refers to itself: ${names.join(' refers to ')}; take one of these references out.`);
}
