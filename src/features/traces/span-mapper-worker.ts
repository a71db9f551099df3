import { serveParent } from '../../platform/thread-rpc/index.ts';
import { mapSpan } from '../otlp/index.ts';

/** The functions of the thread of {@link SpanMapper}. */
export const spanMapperFunctions = { mapSpan };

serveParent(() => spanMapperFunctions);
