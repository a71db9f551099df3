import { ServiceError } from '../../contract/errors.ts';

/** Maximum bytes of the bodies of all requests in progress, sent and inflated. */
const maxBytes = 256 * 1_048_576;

/** Bounds the bodies in memory. Above the limit requests are answered with 503. */
export class BodyBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(limit: number = maxBytes) {
    this.#maxBytes = limit;
  }

  /** The bytes that one request holds. Release it when the request is answered or its connection has closed. */
  share(): BodyShare {
    let own = 0;
    let released = false;
    return {
      take: (bytes) => {
        if (released) throw new ServiceError('unavailable', 'The connection was closed; send this again.');
        if (this.#held + bytes > this.#maxBytes) {
          throw new ServiceError(
            'unavailable',
            'The service is processing as many requests as it can hold; send this again in a moment.',
            {
              retryAfterSeconds: 1,
            },
          );
        }
        this.#held += bytes;
        own += bytes;
      },
      release: () => {
        released = true;
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
  /** Reserves further bytes. Errors: `unavailable` above the limit, and after the release, when the connection has closed. */
  take(bytes: number): void;
  /** Gives all bytes back, for good. */
  release(): void;
}
