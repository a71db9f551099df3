import { sql } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';

import type { PromptTarget, ReferenceMode, ScenarioTarget } from '../../../contract/simulations.ts';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { BatchRunJob } from '../batch-runs/run-queue.ts';
import { productionLabel } from '../../prompts/index.ts';
import { openSecrets } from '../scenarios/target-secrets.ts';
import type { TargetSecrets } from '../scenarios/target-secrets.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { modelParameters } from '../../model-connections/index.ts';
import type { Connection, ResolvedPrompt } from '../targets/prompt-target.ts';

/** A run whose target can be asked. */
export interface PreparedRun {
  id: string;
  projectId: string;
  organizationId: string;
  scenarioId: string;
  scenarioName: string;
  label: string | null;
  datasetId: string;
  datasetRunId: string;
  concurrency: number;
  target: ScenarioTarget;
  secrets: TargetSecrets;
  /** Of a prompt target. */
  prompt: ResolvedPrompt | null;
  connection: Connection | null;
  evaluatorIds: readonly string[];
  /** Whether an evaluator asks a model: answers are recorded before evaluators run. */
  asksModels: boolean;
  referenceMatch: ReferenceMode | null;
}

/** A run that cannot be done at all; the message is a sentence for the user. */
export class Impossible extends Error {}

/**
 * Reads what a run needs.
 *
 * Errors: {@link Impossible} when its prompt, model connection or secrets are gone.
 */
export async function prepareRun(context: SimulationsContext, { id, projectId, payload }: BatchRunJob): Promise<PreparedRun> {
  const target = JSON.parse(payload.target ?? '') as ScenarioTarget;
  const scenarioId = payload.scenario_id ?? '';
  const evaluatorIds = JSON.parse(payload.evaluators ?? '[]') as string[];
  const { prompt, connection } = await prepareTarget(context, projectId, target, payload.prompt_version);
  return {
    id,
    projectId,
    organizationId: await organizationOf(context, projectId),
    scenarioId,
    scenarioName: payload.scenario_name ?? '',
    label: payload.label,
    datasetId: payload.dataset_id ?? '',
    datasetRunId: payload.dataset_run_id ?? '',
    concurrency: payload.concurrency ?? 1,
    target,
    secrets: secretsOf(context, payload, scenarioId),
    prompt,
    connection,
    evaluatorIds,
    asksModels: await context.outputs.asksModels(projectId, evaluatorIds),
    // The table's CHECK constraint of scenarios allows no other value.
    referenceMatch: payload.reference_match as ReferenceMode | null,
  };
}

/**
 * Reads the prompt and the model connection of a prompt target; both are null for an HTTP target.
 *
 * @param version that of an earlier attempt, which a resumed run keeps; null for that of the label
 * Errors: {@link Impossible} when one is gone.
 */
export async function prepareTarget(
  context: Pick<SimulationsContext, 'prompts' | 'models'>,
  projectId: string,
  target: ScenarioTarget,
  version: number | null,
): Promise<Pick<PreparedRun, 'prompt' | 'connection'>> {
  if (target.type !== 'prompt') return { prompt: null, connection: null };
  return {
    prompt: await promptOf(context, projectId, target, version),
    connection: await connectionOf(context, projectId, target),
  };
}

async function organizationOf({ db }: SimulationsContext, projectId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT organization_id AS id FROM projects WHERE id = ${projectId}::uuid`.execute(
    db,
  );
  const [project] = rows;
  if (!project) throw new Impossible('The project was deleted.');
  return project.id;
}

function secretsOf(
  { box }: SimulationsContext,
  stored: Pick<BatchRunJob['payload'], 'target' | 'sealed_headers'>,
  scenarioId: string,
): TargetSecrets {
  try {
    return openSecrets(box, stored, scenarioId);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Impossible(`The secrets of the scenario cannot be decrypted (${error.message}); set them again.`);
  }
}

async function promptOf(
  { prompts }: Pick<SimulationsContext, 'prompts'>,
  projectId: string,
  { promptName: name, label }: PromptTarget,
  version: number | null,
): Promise<ResolvedPrompt> {
  try {
    // As where a prompt is fetched: production, or else latest.
    const selection = version !== null ? { name, version } : label === productionLabel ? { name } : { name, label };
    const found = await prompts.resolvedVersion(projectId, selection);
    if (!found) throw new Impossible(`There is no prompt ${name} with the label ${label}; create it, or change the scenario.`);
    return {
      version: found.version,
      type: found.type,
      resolved: found.resolvedPrompt as ResolvedPrompt['resolved'],
      asks: modelParameters(found.config),
    };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict') throw new Impossible(error.message);
    throw error;
  }
}

async function connectionOf(
  { models }: Pick<SimulationsContext, 'models'>,
  projectId: string,
  { connection: name }: PromptTarget,
): Promise<Connection> {
  const connection = await models.findConnectionNamed(projectId, name);
  if (!connection) throw new Impossible(`There is no model connection ${name}; create it, or change the scenario.`);
  return connection;
}
