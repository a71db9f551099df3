export { open } from './open.ts';
export type { SimulationsFeature, TargetNetwork } from './open.ts';
export { startBatchRun } from './batch-runs/start-batch-run.ts';
export { executeQueued } from './running/execute-queued.ts';
export { blankItems } from './batch-runs/blank-items.ts';
export { createScenario } from './scenarios/create-scenario.ts';
export { scenariosOfDataset, scenariosOfEvaluator } from './scenarios/scenario-record.ts';
export { scenariosOfConnection } from './scenarios/scenarios-of-connection.ts';
