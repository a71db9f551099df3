import { ServiceError } from '../../contract/errors.ts';

export interface ByteLimits {
  /** Bytes of everybody in this process. */
  total: number;
  /** Bytes of one key: a project or an address. Default: `total`. */
  ofOne?: number;
}

/** Bytes that one piece of work holds. */
export interface ByteShare {
  /** Reserves further bytes. Errors: the refusal above the limit; `unavailable` after the release, when the connection has closed. */
  take(bytes: number): void;
  /** Gives all bytes back, for good. */
  release(): void;
}

/** Bounds the bytes of one kind in memory. Above the limit work is refused. */
export class ByteBudget {
  readonly #limits: Required<ByteLimits>;
  readonly #refusal: () => Error;
  readonly #heldOf = new Map<string, number>();
  #held = 0;

  constructor({ total, ofOne = total }: ByteLimits, refusal: () => Error) {
    this.#limits = { total, ofOne };
    this.#refusal = refusal;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /** The bytes that one piece of work of a key holds. Release it when the work has ended. */
  share(key = ''): ByteShare {
    let own = 0;
    let released = false;
    return {
      take: (bytes) => {
        if (released)
          throw new ServiceError('unavailable', 'The connection was closed; send this again.', { retryAfterSeconds: 1 });
        const ofOne = (this.#heldOf.get(key) ?? 0) + bytes;
        if (this.#held + bytes > this.#limits.total || ofOne > this.#limits.ofOne) throw this.#refusal();
        this.#held += bytes;
        this.#heldOf.set(key, ofOne);
        own += bytes;
      },
      release: () => {
        released = true;
        this.#held -= own;
        const left = (this.#heldOf.get(key) ?? 0) - own;
        if (left > 0) this.#heldOf.set(key, left);
        else this.#heldOf.delete(key);
        own = 0;
      },
    };
  }
}
