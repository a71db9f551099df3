import { label } from '../mapping/attribute-readers.ts';
import type { Convention } from '../mapping/convention.ts';
import { kindByName } from '../mapping/kind-by-name.ts';
import { jsonPayload } from '../mapping/payload-json.ts';

const requestKinds = new Set(['chat', 'completion', 'embedding', 'rerank']);

/** Traceloop's OpenLLMetry. */
export const convention: Convention = {
  name: 'traceloop',
  fields: {
    kind: {
      'traceloop.span.kind': kindByName,
      // The value `unknown` determines no kind.
      'llm.request.type': (value, span) => (requestKinds.has(String(value)) ? kindByName(value, span) : undefined),
    },
    operation: { 'llm.request.type': label },
    requestModel: { 'llm.request.model_name': label },
    responseModel: { 'llm.response.model_name': label },
    agentName: { 'traceloop.entity.name': (value, span) => (span.kind === 'agent' ? label(value, span) : undefined) },
    input: { 'traceloop.entity.input': jsonPayload },
    output: { 'traceloop.entity.output': jsonPayload },
    sessionId: { 'traceloop.association.properties.session_id': label },
    userId: { 'traceloop.association.properties.user_id': label },
    promptName: { 'traceloop.prompt.key': label },
    promptVersion: { 'traceloop.prompt.version': label },
  },
};
