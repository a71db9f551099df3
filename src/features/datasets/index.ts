export { addItems } from './add-items.ts';
export { createDataset } from './datasets.ts';
export { open } from './open.ts';
export type { DatasetsFeature } from './open.ts';
export { largestScore, runItemsOf, saveRunScores } from './run-scores.ts';
export {
  addingSimulatedItems,
  keepSimulatedItems,
  createSimulatedRun,
  lockSimulatedItems,
  inputPreviews,
  lockDataset,
  requireDataset,
  runItemIds,
  simulatedItem,
  simulatedItems,
} from './simulated-runs.ts';
