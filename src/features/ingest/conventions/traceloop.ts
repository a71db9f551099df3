import { label } from '../otlp/attribute-readers.ts';
import type { Convention } from '../otlp/convention.ts';
import { foreignKind } from '../otlp/foreign-kind.ts';
import { jsonPayload } from '../otlp/payload-json.ts';

const requestKinds = new Set(['chat', 'completion', 'embedding', 'rerank']);

/** Traceloop's OpenLLMetry. */
export const convention: Convention = {
  name: 'traceloop',
  fields: {
    kind: {
      'traceloop.span.kind': foreignKind,
      // Also `unknown`, which says nothing.
      'llm.request.type': (value, span) => (requestKinds.has(String(value)) ? foreignKind(value, span) : undefined),
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
