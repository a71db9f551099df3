import type { Tool } from '../tool.ts';
import { blastRadius } from './blast-radius.ts';
import { compareRuns } from './compare-runs.ts';
import { createDatasetItems } from './create-dataset-items.ts';
import { createPromptVersion } from './create-prompt-version.ts';
import { getGraph } from './get-graph.ts';
import { getModel } from './get-model.ts';
import { getPrompt } from './get-prompt.ts';
import { getSpan } from './get-span.ts';
import { getTrace } from './get-trace.ts';
import { ingestHealth } from './ingest-health.ts';
import { listDatasets } from './list-datasets.ts';
import { listIncidents } from './list-incidents.ts';
import { listModels } from './list-models.ts';
import { listPrompts } from './list-prompts.ts';
import { query } from './query.ts';
import { recordScore } from './record-score.ts';
import { searchTraces } from './search-traces.ts';

/** Every tool, in the order in which they are listed; those that write last. */
export const tools: readonly Tool[] = [
  searchTraces,
  getTrace,
  getSpan,
  listModels,
  getModel,
  query,
  listPrompts,
  getPrompt,
  listDatasets,
  compareRuns,
  listIncidents,
  getGraph,
  blastRadius,
  ingestHealth,
  createDatasetItems,
  createPromptVersion,
  recordScore,
];
