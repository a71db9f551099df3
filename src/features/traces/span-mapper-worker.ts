import { serveParent } from '../../platform/thread-rpc/index.ts';
import { mapSpan } from '../otlp/index.ts';
import { previewBody } from './preview-body.ts';

/** The functions of the thread of {@link SpanMapper}. */
export const spanMapperFunctions = { mapSpan, previewBody };

serveParent(() => spanMapperFunctions);
