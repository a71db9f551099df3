import { OnDemandThread } from '../../platform/thread-rpc/index.ts';
import { mapSpan } from '../otlp/index.ts';
import type { InheritedAgent, MappedField, StoredSpan } from '../otlp/index.ts';
import type { spanMapperFunctions } from './span-mapper-worker.ts';

/** Maximum characters of attributes and events that are mapped on the main thread, in a few milliseconds. */
const shortSpan = 256 * 1024;

/** Determines which convention filled which field. Large spans are mapped in a worker thread, so that the main thread keeps serving requests. */
export class SpanMapper {
  readonly #thread = new OnDemandThread<typeof spanMapperFunctions>(new URL('./span-mapper-worker.ts', import.meta.url), {
    name: 'the mapper of large spans',
  });

  /** See {@link mapSpan}. */
  async map(span: StoredSpan, inherited: InheritedAgent | null): Promise<MappedField[]> {
    return span.attributes.length + span.extra.length > shortSpan
      ? this.#thread.call('mapSpan', span, inherited)
      : mapSpan(span, inherited);
  }

  /** Ends the thread; running mappings reject. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
