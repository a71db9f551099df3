import { promptBounds } from '../../contract/prompts.ts';
import type { PromptType } from '../../contract/prompts.ts';
import { partsOf, referenceKey, shownReference } from './references.ts';
import type { Reference } from './references.ts';
import { messagesOf } from './stored-prompt.ts';

/** The fields of a stored version that resolving needs. */
export interface Source {
  id: string;
  familyId: string;
  name: string;
  version: number;
  type: PromptType;
  prompt: string;
}

/** Finds the current targets of references within one project. */
export interface SourceReader {
  /** Targets by {@link referenceKey}, without references to missing prompts; `bytes` is the size of the prompt. */
  find(references: readonly Reference[]): Promise<Map<string, { id: string; bytes: number }>>;
  read(ids: readonly string[]): Promise<Source[]>;
}

/** A text prompt, or the messages of a chat prompt. */
export type ResolvedPrompt = string | unknown[];

/** A prompt cannot be resolved; the message explains why to the user. */
export class ResolutionError extends Error {}

/** Maximum length of a chain of references (docs/semantics.md, "References"). */
const maxDepth = 10;
/** Maximum prompts and bytes read, and references followed, to resolve one prompt; protects against hostile prompts. */
const maxSources = 1_000;
const maxSourceBytes = 8 * 1_048_576;
const maxReferences = 10_000;
/** Maximum bytes cached for the next prompt of a list, and the estimated overhead of a reference. */
const maxHeldBytes = 16 * 1_048_576;
const referenceBytes = 100;

interface Node {
  source: Source;
  /** The parsed texts: one, or one for each message. */
  texts: Array<Array<string | Reference>>;
  references: Reference[];
  /** Resolved size in UTF-8 bytes, and longest chain of references; null while being computed. */
  measured: { bytes: number; depth: number } | null | undefined;
}

/** Replaces references by their targets. One instance serves a list and caches what its prompts have in common. */
export class PromptResolver {
  readonly #reader: SourceReader;
  #targets = new Map<string, { id: string; bytes: number }>();
  #nodes = new Map<string, Node>();
  #heldBytes = 0;

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /**
   * Errors: {@link ResolutionError} for a cycle, a reference to a missing or a chat prompt, a depth over 10, a result over 1 MiB, or more
   * than 1,000 prompts, 8 MiB or 10,000 references to read.
   *
   * @returns the resolved prompt, and the families that it refers to directly
   */
  async resolve(root: Source): Promise<{ resolved: ResolvedPrompt; familyIds: string[] }> {
    if (this.#heldBytes > maxHeldBytes) this.#forget();
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

  /** Loads all reachable prompts, breadth first. */
  async #load(root: Node): Promise<Map<string, Node>> {
    const nodes = new Map([[root.source.id, root]]);
    let level = [root];
    let bytes = 0;
    let count = 0;
    for (let depth = 1; ; depth++) {
      for (const { references } of level) count += references.length;
      if (count > maxReferences)
        throw new ResolutionError(
          `The prompt and those that it refers to have more than ${maxReferences} references; take references out.`,
        );
      const wanted = new Map(
        level.flatMap(({ references }) => references).map((reference) => [referenceKey(reference), reference]),
      );
      if (wanted.size === 0) return nodes;
      const targets = await this.#find(wanted);
      const fresh = new Map(targets.filter(({ id }) => !nodes.has(id)).map((target) => [target.id, target]));
      for (const target of fresh.values()) bytes += target.bytes;
      if (nodes.size + fresh.size > maxSources || bytes > maxSourceBytes)
        throw new ResolutionError(`The prompt refers to more than ${maxSources} others or 8 MiB of them; take references out.`);
      if (fresh.size > 0 && depth > maxDepth) throw tooDeep();
      level = await this.#read([...fresh.keys()]);
      for (const node of level) nodes.set(node.source.id, node);
    }
  }

  async #find(wanted: ReadonlyMap<string, Reference>): Promise<Array<{ id: string; bytes: number }>> {
    const unknown = [...wanted].filter(([key]) => !this.#targets.has(key)).map(([, reference]) => reference);
    if (unknown.length > maxSources)
      throw new ResolutionError(`The prompt refers to more than ${maxSources} others; take references out.`);
    if (unknown.length > 0) for (const [key, target] of await this.#reader.find(unknown)) this.#targets.set(key, target);
    return [...wanted].map(([key, reference]) => {
      const target = this.#targets.get(key);
      if (target) return target;
      throw new ResolutionError(
        `The reference ${shownReference(reference)} has no target; create that prompt, version or label first, or correct the reference.`,
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

/** Versions and the targets of their references. */
class Graph {
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #targets: ReadonlyMap<string, { id: string }>;
  /** Resolved text prompts. */
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
   * Computes the resolved size and depth of a prompt before any text is concatenated.
   *
   * @param path the chain of prompts up to here, for the message about a cycle
   */
  measure(node: Node, path: readonly Node[]): { bytes: number; depth: number } {
    if (node.measured === null) throw cycle([...path.slice(path.indexOf(node)), node]);
    if (node.measured) return node.measured;
    if (path.length > maxDepth) throw tooDeep();
    node.measured = null;
    try {
      const measured = this.#measured(node, [...path, node]);
      node.measured = measured;
      return measured;
    } finally {
      // Reset, so that it can be measured again for the next prompt of a list.
      node.measured ??= undefined;
    }
  }

  /** The prompt with its references replaced. Call after measuring. */
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
          'The prompt is larger than 1 MiB once its references are replaced; shorten it or the prompts that it refers to.',
        );
    }
    if (measured.depth > maxDepth) throw tooDeep();
    return measured;
  }

  #bytesOf(reference: Reference, seen: Map<string, number>, within: { depth: number }, path: readonly Node[]): number {
    const key = referenceKey(reference);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const target = this.target(reference);
    if (target.source.type === 'chat')
      throw new ResolutionError(
        `The reference ${shownReference(reference)} names a chat prompt; only text prompts can be inserted.`,
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
  // One more than the maximum suffices to refuse the prompt.
  const texts = contents.map((content) => partsOf(content, maxReferences + 1));
  return { source, texts, references: texts.flat().filter((part) => typeof part !== 'string'), measured: undefined };
}

function tooDeep(): ResolutionError {
  return new ResolutionError(`The chain of references is longer than ${maxDepth} prompts; refer to the inner ones directly.`);
}

function cycle(nodes: readonly Node[]): ResolutionError {
  const names = nodes.map(({ source }) => `${source.name} (version ${source.version})`);
  return new ResolutionError(`The prompt refers to itself: ${names.join(' refers to ')}; take one of these references out.`);
}
