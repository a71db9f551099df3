/** Operations that prepare a run and do no part of it: an agent is made, a session of the Model Context Protocol begins. */
const setupOperations: readonly string[] = [
  'create_agent',
  'initialize',
  'ping',
  'notifications/initialized',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'roots/list',
  'logging/setLevel',
];
const among = new Set(setupOperations);

/** Whether a span prepares a run. Lists leave out traces of such spans alone (docs/semantics.md, "Lists of traces"). */
export function isSetup(span: { source: string; operation: string }): boolean {
  return span.source === 'otlp' && among.has(span.operation);
}

/** The same as an expression of ClickHouse. */
export const isSetupSql = `source = 'otlp' AND operation IN (${setupOperations.map((operation) => `'${operation}'`).join(', ')})`;
