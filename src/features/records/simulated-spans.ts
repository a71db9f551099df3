/** What marks the spans of simulations: their agent, environment and tag (docs/semantics.md, "Traces of simulations"). */
export const simulationMark = 'simulation';

/**
 * Whether a span is one of a simulation. It counts neither in the figures of models, prompts and alerts nor is it evaluated online; lists of traces
 * show it.
 */
export function isSimulated(span: { agentName: string; environment: string; tags: readonly string[] }): boolean {
  return span.environment === simulationMark && span.agentName === simulationMark && span.tags.includes(simulationMark);
}
