import { turnsOf } from '../../platform/budgets/index.ts';
import { holdsMoreValues } from '../../platform/json/index.ts';
import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import type { OtlpCheck, OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import type { bodyReaderFunctions } from './body-reader-worker.ts';
import { checkOtlp } from './check-otlp.ts';
import { readEvents } from './native/read-events.ts';
import type { ReadEvents, ReadEventsOptions } from './native/read-events.ts';

/** Shorter bodies are read on the main thread: some milliseconds at worst. */
const shortBody = 128 * 1024;
/** Longer bodies with fewer JSON values too, up to {@link longBody}. JSON.parse takes up to 2 us for a member with a new name. */
const fewValues = 10_000;
const longBody = 1_048_576;

/**
 * Reads inflated bodies. JSON that may take long to parse is read in a worker thread, so that it delays no other request. Protobuf is decoded in
 * linear time, on the main thread.
 */
export class BodyReader {
  readonly #thread = new OnDemandThread<typeof bodyReaderFunctions>(new URL('./body-reader-worker.ts', import.meta.url), {
    name: 'the reader of large bodies',
  });

  readonly #turns = turnsOf('largeBodies');

  /** The events of a native body; see {@link readEvents}. @param project whose turn it is in the thread. Errors also: `unavailable`. */
  async events(project: string, body: Buffer, options: ReadEventsOptions): Promise<ReadEvents> {
    return isSlow(body)
      ? this.#turns.run(project, () => this.#thread.call('readEvents', body, options))
      : readEvents(body, options);
  }

  /** Checks an OTLP body; see {@link checkOtlp}. @param project whose turn it is in the thread. Errors also: `unavailable`. */
  async otlp(project: string, body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): Promise<OtlpCheck> {
    return encoding === 'json' && isSlow(body)
      ? this.#turns.run(project, () => this.#thread.call('checkOtlp', body, encoding, options))
      : checkOtlp(body, encoding, options);
  }

  /** Ends the thread; pending calls are rejected. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

function isSlow(body: Buffer): boolean {
  return body.length > longBody || (body.length > shortBody && holdsMoreValues(body, fewValues));
}
