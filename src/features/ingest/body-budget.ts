import { ServiceError } from '../../contract/errors.ts';

/** What the bodies of all requests under way may take together, as sent and inflated. */
const mostBytes = 256 * 1_048_576;

/** Bounds the bodies that are held in memory at one time; a service that holds too many answers 503. */
export class BodyBudget {
  readonly #mostBytes: number;
  #held = 0;

  constructor(most: number = mostBytes) {
    this.#mostBytes = most;
  }

  /** What one request holds; to be released when it is answered or its connection is gone. */
  share(): BodyShare {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#mostBytes) {
          throw new ServiceError(
            'unavailable',
            'The service is working on as many requests as it can hold; send this again in a moment.',
            {
              retryAfterSeconds: 1,
            },
          );
        }
        this.#held += bytes;
        own += bytes;
      },
      release: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }
}

export interface BodyShare {
  /** Errors: `unavailable` when there is no room for so many bytes more. */
  take(bytes: number): void;
  release(): void;
}
