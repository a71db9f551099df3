import { simulationMark } from '../../contract/kinds.ts';

/**
 * Whether a span is one of a simulation. It counts neither in the figures of models, prompts and alerts nor is it evaluated online; lists of traces
 * show it on request.
 */
export function isSimulated(span: { agentName: string; environment: string; tags: readonly string[] }): boolean {
  return span.environment === simulationMark && span.agentName === simulationMark && span.tags.includes(simulationMark);
}
