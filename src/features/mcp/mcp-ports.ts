import type { DatasetsFeature } from '../datasets/index.ts';
import type { GraphFeature } from '../graph/index.ts';
import type { IncidentsFeature } from '../incidents/index.ts';
import type { IngestFeature } from '../ingest/index.ts';
import type { MetricsFeature } from '../metrics/index.ts';
import type { ModelsFeature } from '../models/index.ts';
import type { PromptsFeature } from '../prompts/index.ts';
import type { TracesFeature } from '../traces/index.ts';
import type { Views } from '../views/index.ts';

/** The verbs that the tools call: those of the routes. */
export interface McpPorts {
  traces: Pick<TracesFeature, 'listTraces' | 'getTracePart' | 'getSpanTexts'>;
  views: Pick<Views, 'withView'>;
  metrics: Pick<MetricsFeature, 'runQuery'>;
  models: Pick<ModelsFeature, 'listModels' | 'getModel'>;
  prompts: Pick<PromptsFeature, 'listPrompts' | 'getVersion' | 'createVersion'>;
  datasets: Pick<DatasetsFeature, 'listDatasets' | 'comparePart' | 'addJsonItems'>;
  incidents: Pick<IncidentsFeature, 'listIncidents'>;
  graph: Pick<GraphFeature, 'getGraph' | 'getBlastRadius'>;
  ingest: Pick<IngestFeature, 'healthOf' | 'recordScore'>;
}
