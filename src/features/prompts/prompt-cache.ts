import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../platform/postgres/index.ts';

/** An answer as it is sent: its bytes and their ETag. */
export interface CachedAnswer {
  body: Buffer;
  etag: string;
}

interface Entry {
  answer: CachedAnswer;
  project: CachedProject;
}

/** The cached answers of a project since its prompts last changed. A change replaces it by a new one. */
interface CachedProject {
  projectId: string;
  /** Keys of the cache. */
  keys: Set<string>;
  /** By request. */
  loading: Map<string, Promise<CachedAnswer | null>>;
}

/** The channel on which every change of a project's prompts is announced; the message is the project's id. */
export const promptsChannel = 'prompts';

const defaultMaxBytes = 64 * 1_048_576;
/** Memory of an entry beside its body and its key, in bytes. */
const entryBytes = 500;

/**
 * Caches the answers of prompts that are fetched at run time; the least recently used are evicted. References make prompts depend on one
 * another, so a change of any prompt drops all answers of its project: here at once, on other replicas by the change feed, within a
 * second. While the change feed is interrupted, nothing is served from memory.
 */
export class PromptCache {
  readonly #changeFeed: ChangeFeed;
  readonly #unsubscribe: () => void;
  readonly #projects = new Map<string, CachedProject>();
  readonly #entries: LRUCache<string, Entry>;

  /** @param maxBytes of all entries together; an answer that is larger is not cached */
  constructor(changeFeed: ChangeFeed, maxBytes: number = defaultMaxBytes) {
    this.#changeFeed = changeFeed;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }, key) => answer.body.length + key.length + entryBytes,
      dispose: ({ project }, key) => {
        project.keys.delete(key);
        this.#removeIfEmpty(project);
      },
    });
    this.#unsubscribe = changeFeed.subscribe(promptsChannel, {
      onMessage: (projectId) => this.#drop(projectId),
      onMissed: () => this.#clear(),
    });
  }

  /** Bytes of the cached answers. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** A cached answer that is up to date; undefined when it has to be loaded. */
  peek(projectId: string, asked: string): CachedAnswer | undefined {
    return this.#changeFeed.receiving() ? this.#entries.get(keyOf(projectId, asked))?.answer : undefined;
  }

  /**
   * Loads an answer, once for concurrent requests, and caches it unless the project changes meanwhile.
   *
   * @param load resolves with null when there is no such prompt, which is not cached
   */
  async load(projectId: string, asked: string, load: () => Promise<CachedAnswer | null>): Promise<CachedAnswer | null> {
    if (!this.#changeFeed.receiving()) return load();
    const project = this.#projects.get(projectId) ?? { projectId, keys: new Set(), loading: new Map() };
    this.#projects.set(projectId, project);
    const underWay = project.loading.get(asked);
    if (underWay) return underWay;
    const loading = load();
    project.loading.set(asked, loading);
    try {
      const answer = await loading;
      if (answer) this.#cache(project, asked, answer);
      return answer;
    } finally {
      project.loading.delete(asked);
      this.#removeIfEmpty(project);
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#clear();
  }

  #cache(project: CachedProject, asked: string, answer: CachedAnswer): void {
    // An answer that was read before a change is out of date.
    if (this.#projects.get(project.projectId) !== project) return;
    const key = keyOf(project.projectId, asked);
    this.#entries.set(key, { answer, project });
    if (this.#entries.has(key)) project.keys.add(key);
  }

  #removeIfEmpty(project: CachedProject): void {
    const { projectId, keys, loading } = project;
    if (keys.size + loading.size === 0 && this.#projects.get(projectId) === project) this.#projects.delete(projectId);
  }

  #drop(projectId: string): void {
    const project = this.#projects.get(projectId);
    if (!project) return;
    this.#projects.delete(projectId);
    for (const key of project.keys) this.#entries.delete(key);
  }

  #clear(): void {
    this.#projects.clear();
    this.#entries.clear();
  }
}

function keyOf(projectId: string, asked: string): string {
  return `${projectId} ${asked}`;
}
