import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import type { SharedSpan, SharedTrace } from './service.ts';
import type { OutlineSpan } from './parts.ts';
import { absentFields } from './traces.ts';
import { useWrite } from './use-write.ts';

const keyOf = (projectId: string, traceId: string) => ['shares', projectId, traceId] as const;

/** The valid links of a trace, newest first. */
export function sharesQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: keyOf(projectId, traceId),
    queryFn: ({ signal }) => get('/v1/projects/{id}/traces/{traceId}/shares', { id: projectId, traceId }, signal),
    // The numbers of views change.
    staleTime: 0,
  });
}

/** What a new link shows, and for how long. */
interface NewShare {
  expiresInDays: number;
  payloads: boolean;
  redact: boolean;
}

/** Makes and deletes links of a trace. Requires `shares:manage`. */
export function useShareActions(projectId: string, traceId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keyOf(projectId, traceId) });
  return {
    create: useWrite({
      mutationFn: (body: NewShare) => send('POST', '/v1/projects/{id}/traces/{traceId}/shares', { id: projectId, traceId }, body),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (shareId: string) => send('DELETE', '/v1/projects/{id}/shares/{shareId}', { id: projectId, shareId }),
      onSuccess,
    }),
  };
}

/** The trace that a link shows. Read once: each read counts as a view. */
export function sharedTraceQuery(token: string) {
  return queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => get('/v1/shares/{token}', { token }, signal),
    // No structural sharing: a trace can be large.
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
}

/** A shared trace as the views of a trace take it. */
export interface SharedOutline {
  trace: SharedTrace['trace'];
  spans: OutlineSpan[];
  /** Whether the link shows inputs and outputs. */
  hasPayloads: boolean;
}

/** The spans of a link with the fields that it never shows empty. */
export function sharedOutline({ trace, spans }: SharedTrace): SharedOutline {
  const hasPayloads = 'input' in trace;
  return { trace, spans: spans.map((span) => outlineSpan(trace.traceId, span)), hasPayloads };
}

function outlineSpan(traceId: string, { input = null, output = null, errorMessage = null, ...span }: SharedSpan): OutlineSpan {
  const previewOf = (payload: unknown) => (payload === null ? null : '…');
  return {
    ...absentFields,
    ...span,
    traceId,
    input,
    output,
    errorMessage,
    inputPreview: previewOf(input),
    outputPreview: previewOf(output),
    contentFrom: null,
    source: 'native',
  };
}
