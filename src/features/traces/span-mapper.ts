import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import { mapSpan } from '../otlp/index.ts';
import type { InheritedAgent, MappedField, OtlpEncoding, ReadOtlpOptions, StoredSpan } from '../otlp/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import { previewBody } from './preview-body.ts';
import type { spanMapperFunctions } from './span-mapper-worker.ts';

/** Maximum characters of attributes and events that are mapped on the main thread, in a few milliseconds. */
const shortSpan = 256 * 1024;
/** The same for the bytes of a body, whose spans may be many. */
const shortBody = 32 * 1024;

/** Determines which convention filled which field. Large spans and bodies are mapped in a worker thread, so that the main thread keeps serving requests. */
export class SpanMapper {
  readonly #thread = new OnDemandThread<typeof spanMapperFunctions>(new URL('./span-mapper-worker.ts', import.meta.url), {
    name: 'the mapper of large spans',
  });

  /** See {@link mapSpan}. */
  async map(span: StoredSpan, inherited: InheritedAgent | null, ownPrices: OwnPrices): Promise<MappedField[]> {
    return span.attributes.length + span.extra.length > shortSpan
      ? this.#thread.call('mapSpan', span, inherited, ownPrices)
      : mapSpan(span, inherited, ownPrices);
  }

  /** See {@link previewSpans}. Errors: `invalid_request` when the body cannot be decoded. */
  async preview(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): Promise<string> {
    return body.length > shortBody
      ? this.#thread.call('previewBody', body, encoding, options)
      : previewBody(body, encoding, options);
  }

  /** Ends the thread; running mappings reject. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
