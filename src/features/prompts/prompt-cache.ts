import type { Notifications } from '../../platform/postgres/index.ts';

/** An answer as it is sent: its bytes and their ETag. */
export interface CachedAnswer {
  body: Buffer;
  etag: string;
}

interface Kept {
  answer: CachedAnswer;
  shelf: Shelf;
  asked: string;
  /** Asked for since the search for one to forget last came by. */
  used: boolean;
}

/** What is remembered of a project since its prompts last changed. A change puts another shelf in its place. */
interface Shelf {
  projectId: string;
  /** By what was asked. */
  answers: Map<string, Kept>;
  loading: Map<string, Promise<CachedAnswer | null>>;
}

/** Where every change of a project's prompts is announced; the message is the project's id. */
export const promptsChannel = 'prompts';

const mostBytes = 64 * 1_048_576;
/** What an answer takes beside its body. */
const overhead = 500;

/**
 * Answers of the prompts fetched at run time, in memory. References make prompts depend on one another, so a change of any prompt drops
 * all of its project: here at once, on other replicas when PostgreSQL tells them, within a second. While PostgreSQL cannot tell, nothing is
 * served from memory.
 */
export class PromptCache {
  readonly #notifications: Notifications;
  readonly #unsubscribe: () => void;
  readonly #shelves = new Map<string, Shelf>();
  /** Everything that is kept, in the order in which it is looked at when something must go. */
  readonly #ring = new Set<Kept>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param most bytes that are kept */
  constructor(notifications: Notifications, most: number = mostBytes) {
    this.#notifications = notifications;
    this.#mostBytes = most;
    this.#unsubscribe = notifications.subscribe(promptsChannel, {
      onMessage: (projectId) => this.#drop(projectId),
      onMissed: () => this.#clear(),
    });
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** An answer that still holds; undefined when it has to be loaded. */
  peek(projectId: string, asked: string): CachedAnswer | undefined {
    if (!this.#notifications.receiving()) return undefined;
    const kept = this.#shelves.get(projectId)?.answers.get(asked);
    if (!kept) return undefined;
    kept.used = true;
    return kept.answer;
  }

  /**
   * Loads an answer, once for all who ask at the same time, and remembers it unless the project changes meanwhile.
   *
   * @param load null: there is no such thing, which is not remembered
   */
  async load(projectId: string, asked: string, load: () => Promise<CachedAnswer | null>): Promise<CachedAnswer | null> {
    if (!this.#notifications.receiving()) return load();
    const shelf = this.#shelves.get(projectId) ?? { projectId, answers: new Map(), loading: new Map() };
    this.#shelves.set(projectId, shelf);
    const under = shelf.loading.get(asked);
    if (under) return under;
    const loading = load();
    shelf.loading.set(asked, loading);
    try {
      const answer = await loading;
      if (answer) this.#remember(shelf, asked, answer);
      return answer;
    } finally {
      shelf.loading.delete(asked);
      this.#forgetIfEmpty(shelf);
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#clear();
  }

  #remember(shelf: Shelf, asked: string, answer: CachedAnswer): void {
    // What was read before a change must not outlive it.
    if (this.#shelves.get(shelf.projectId) !== shelf || sizeOf({ answer, asked }) > this.#mostBytes) return;
    const before = shelf.answers.get(asked);
    if (before) this.#forget(before);
    const kept = { answer, shelf, asked, used: false };
    shelf.answers.set(asked, kept);
    this.#ring.add(kept);
    this.#bytes += sizeOf(kept);
    while (this.#bytes > this.#mostBytes) this.#forgetOne();
  }

  /** The one longest there that nobody asked for since the search last came by; who is spared goes to the end. */
  #forgetOne(): void {
    for (const kept of this.#ring) {
      if (!kept.used) {
        this.#forget(kept);
        this.#forgetIfEmpty(kept.shelf);
        return;
      }
      kept.used = false;
      this.#ring.delete(kept);
      this.#ring.add(kept);
    }
  }

  #forget(kept: Kept): void {
    kept.shelf.answers.delete(kept.asked);
    this.#ring.delete(kept);
    this.#bytes -= sizeOf(kept);
  }

  #forgetIfEmpty(shelf: Shelf): void {
    const { projectId, answers, loading } = shelf;
    if (answers.size + loading.size === 0 && this.#shelves.get(projectId) === shelf) this.#shelves.delete(projectId);
  }

  #drop(projectId: string): void {
    const shelf = this.#shelves.get(projectId);
    if (!shelf) return;
    this.#shelves.delete(projectId);
    for (const kept of shelf.answers.values()) this.#forget(kept);
  }

  #clear(): void {
    this.#shelves.clear();
    this.#ring.clear();
    this.#bytes = 0;
  }
}

function sizeOf({ answer, asked }: Pick<Kept, 'answer' | 'asked'>): number {
  return answer.body.length + asked.length + overhead;
}
