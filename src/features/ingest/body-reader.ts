import { holdsMoreValues } from '../../platform/json/index.ts';
import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import type { OtlpCheck, OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import type { bodyReaderFunctions } from './body-reader-worker.ts';
import { checkOtlp } from './check-otlp.ts';
import { readEvents } from './native/read-events.ts';
import type { ReadEvents, ReadEventsOptions } from './native/read-events.ts';

/** Shorter bodies are read at once, whatever they hold: some milliseconds. */
const shortBody = 128 * 1024;
/** A longer body with fewer JSON values is read at once too. JSON.parse takes up to 2 us for a member whose name is new. */
const fewValues = 50_000;

/**
 * Reads inflated bodies. JSON that may take long to parse is read in a thread of its own, so that other requests are answered meanwhile.
 * Protobuf takes time by its length and is read at once.
 */
export class BodyReader {
  readonly #thread = new OnDemandThread<typeof bodyReaderFunctions>(new URL('./body-reader-worker.ts', import.meta.url), {
    name: 'the reader of large bodies',
  });

  /** The events of a native body; {@link readEvents} says how. */
  async events(body: Buffer, options: ReadEventsOptions): Promise<ReadEvents> {
    return isSlow(body) ? this.#thread.call('readEvents', body, options) : readEvents(body, options);
  }

  /** What becomes of an OTLP body; {@link checkOtlp} says how. */
  async otlp(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): Promise<OtlpCheck> {
    return encoding === 'json' && isSlow(body)
      ? this.#thread.call('checkOtlp', body, encoding, options)
      : checkOtlp(body, encoding, options);
  }

  /** Ends the thread; what it was reading is rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

function isSlow(body: Buffer): boolean {
  return body.length > shortBody && holdsMoreValues(body, fewValues);
}
