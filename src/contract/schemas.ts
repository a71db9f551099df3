import { z } from 'zod';
import * as alerts from './alerts.ts';
import * as audit from './audit.ts';
import * as changes from './changes.ts';
import * as comments from './comments.ts';
import * as common from './common.ts';
import * as compliance from './compliance.ts';
import * as datasets from './datasets.ts';
import * as environments from './environments.ts';
import * as evaluations from './evaluations.ts';
import * as evaluators from './evaluators.ts';
import * as evidencePacks from './evidence-packs.ts';
import * as fixProposals from './fix-proposals.ts';
import * as graph from './graph.ts';
import * as guardrails from './guardrails.ts';
import * as identity from './identity.ts';
import * as incidents from './incidents.ts';
import * as ingest from './ingest.ts';
import * as jobs from './jobs.ts';
import * as keyColumns from './key-columns.ts';
import * as metricQuery from './metrics/query.ts';
import * as modelConnections from './model-connections.ts';
import * as modelLifecycle from './model-lifecycle.ts';
import * as models from './models.ts';
import * as notifications from './notifications.ts';
import * as outcomes from './outcomes.ts';
import * as policies from './policies.ts';
import * as prices from './prices.ts';
import * as prompts from './prompts.ts';
import * as scores from './scores.ts';
import * as selections from './selections.ts';
import * as shares from './shares.ts';
import * as simulationGate from './simulation-gate.ts';
import * as simulationTry from './simulation-try.ts';
import * as simulations from './simulations.ts';
import * as spanMapping from './span-mapping.ts';
import * as traceComparison from './trace-comparison.ts';
import * as spans from './spans.ts';
import * as traces from './traces.ts';
import * as userData from './user-data.ts';
import * as users from './users.ts';
import * as views from './views.ts';

/** Every file of the contract that holds schemas. */
const files = [
  alerts,
  audit,
  changes,
  comments,
  common,
  compliance,
  datasets,
  environments,
  evaluations,
  evaluators,
  evidencePacks,
  fixProposals,
  graph,
  guardrails,
  identity,
  incidents,
  ingest,
  jobs,
  keyColumns,
  metricQuery,
  modelConnections,
  modelLifecycle,
  models,
  notifications,
  outcomes,
  policies,
  prices,
  prompts,
  scores,
  selections,
  shares,
  simulationGate,
  simulationTry,
  simulations,
  spanMapping,
  traceComparison,
  spans,
  traces,
  userData,
  users,
  views,
];

/** Kinds of schemas that have a name in the OpenAPI document: what a caller sends or reads as a whole. */
const kinds: ReadonlySet<string> = new Set(['object', 'union']);

/**
 * The schemas of the contract by their name in the OpenAPI document: that of their export, `AlertRule` for `alertRule`. A schema that is exported twice has
 * its first name.
 *
 * @throws {Error} when two schemas have one name
 */
export function namedSchemas(): Map<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>();
  const named = new Set<z.ZodType>();
  for (const [name, schema] of files.flatMap((file) => Object.entries<unknown>(file))) {
    if (!(schema instanceof z.ZodType) || !kinds.has(schema.def.type) || named.has(schema)) continue;
    const id = name.charAt(0).toUpperCase() + name.slice(1);
    if (schemas.has(id)) throw new Error(`Two schemas of the contract are named ${name}; rename one.`);
    named.add(schema);
    schemas.set(id, schema);
  }
  return schemas;
}
