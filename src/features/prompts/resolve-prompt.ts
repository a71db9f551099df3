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
/** What resolving one prompt may read: a hostile one refers to more than it ever shows. */
const mostSources = 1_000;
const mostSourceBytes = 8 * 1_048_576;
/** What is kept for the next prompt of a list. */
const mostHeldBytes = 16 * 1_048_576;

interface Node {
  source: Source;
  /** The texts in which references stand: one, or each message's content. */
  texts: Array<Array<string | Reference>>;
  /** UTF-8 bytes once resolved, and the longest chain of references; null while they are being worked out. */
  measured: { bytes: number; depth: number } | null | undefined;
  /** The text of a text prompt, once it has been put together. */
  text: string | undefined;
}

/** Replaces references by what they refer to. Serves a list: what one prompt needed is not read again for the next. */
export class PromptResolver {
  readonly #reader: SourceReader;
  #targets = new Map<string, { id: string; bytes: number }>();
  #sources = new Map<string, Source>();
  #heldBytes = 0;

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /**
   * Errors: {@link ResolutionError} for a cycle, a missing reference, one to a chat prompt, depth over 10, over 1 MB resolved, or
   * over 1,000 prompts or 8 MB to be read.
   *
   * @returns with the families that the prompt itself refers to
   */
  async resolve(root: Source): Promise<{ resolved: ResolvedPrompt; familyIds: string[] }> {
    if (this.#heldBytes > mostHeldBytes) this.#forget();
    const nodes = await this.#load(root);
    const graph = new Graph(nodes, this.#targets);
    const node = nodes.get(root.id);
    if (!node) throw new Error('a prompt is not in its own graph');
    graph.measure(node, []);
    const familyIds = new Set(references(node).map((reference) => graph.target(reference).source.familyId));
    return { resolved: graph.build(node), familyIds: [...familyIds] };
  }

  #forget(): void {
    this.#targets = new Map();
    this.#sources = new Map();
    this.#heldBytes = 0;
  }

  /** Everything that can be reached, level by level. */
  async #load(root: Source): Promise<Map<string, Node>> {
    const nodes = new Map([[root.id, nodeOf(root)]]);
    let level = [...nodes.values()];
    let bytes = 0;
    for (let depth = 1; ; depth++) {
      const wanted = new Map(level.flatMap(references).map((reference) => [referenceKey(reference), reference]));
      if (wanted.size === 0) return nodes;
      const targets = await this.#find(wanted);
      const fresh = new Map(targets.filter(({ id }) => !nodes.has(id)).map((target) => [target.id, target]));
      for (const target of fresh.values()) bytes += target.bytes;
      if (nodes.size + fresh.size > mostSources || bytes > mostSourceBytes)
        throw new ResolutionError(`The prompt refers to more than ${mostSources} others or 8 MB of them; take references out.`);
      if (fresh.size > 0 && depth > deepest) throw tooDeep();
      level = (await this.#read([...fresh.keys()])).map(nodeOf);
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

  async #read(ids: readonly string[]): Promise<Source[]> {
    const unknown = ids.filter((id) => !this.#sources.has(id));
    if (unknown.length > 0) {
      for (const source of await this.#reader.read(unknown)) {
        this.#sources.set(source.id, source);
        this.#heldBytes += source.prompt.length;
      }
    }
    return ids.map((id) => {
      const source = this.#sources.get(id);
      if (!source) throw new ResolutionError('A prompt that is referred to has just been deleted; try again.');
      return source;
    });
  }
}

/** Versions and what their references lead to. */
class Graph {
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #targets: ReadonlyMap<string, { id: string }>;

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
    const measured = { bytes: 0, depth: 0 };
    const seen = new Map<string, number>();
    for (const part of node.texts.flat()) {
      if (typeof part === 'string') measured.bytes += Buffer.byteLength(part);
      else measured.bytes += this.#bytesOf(part, seen, measured, [...path, node]);
      if (measured.bytes > promptBounds.promptBytes)
        throw new ResolutionError(
          'The prompt is larger than 1 MB once its references are replaced; shorten it or what it refers to.',
        );
    }
    if (measured.depth > deepest) throw tooDeep();
    node.measured = measured;
    return measured;
  }

  /** The prompt with its references replaced; measured before. */
  build(node: Node): ResolvedPrompt {
    if (node.source.type === 'text') return this.#text(node);
    return messagesOf(node.source.prompt).map((message, index) => ({ ...message, content: this.#join(node.texts[index] ?? []) }));
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
    return (node.text ??= this.#join(node.texts[0] ?? []));
  }

  #join(parts: ReadonlyArray<string | Reference>): string {
    return parts.map((part) => (typeof part === 'string' ? part : this.#text(this.target(part)))).join('');
  }
}

function nodeOf(source: Source): Node {
  const texts = source.type === 'text' ? [source.prompt] : messagesOf(source.prompt).map(({ content }) => content);
  return { source, texts: texts.map(partsOf), measured: undefined, text: undefined };
}

function references(node: Node): Reference[] {
  return node.texts.flat().filter((part) => typeof part !== 'string');
}

function tooDeep(): ResolutionError {
  return new ResolutionError(`References lead deeper than ${deepest} prompts; refer to the inner ones directly.`);
}

function cycle(nodes: readonly Node[]): ResolutionError {
  const names = nodes.map(({ source }) => `${source.name} (version ${source.version})`);
  return new ResolutionError(`The prompt refers to itself: ${names.join(' refers to ')}; take one of these references out.`);
}
