import { alertType, ofProject } from './alert-type.ts';

export const modelLifecycle = alertType({
  ...ofProject,
  name: 'model-lifecycle',
  title: 'Model lifecycle',
  hint: 'Notifies when a called model is retired soon. Opens no incidents.',
  unit: 'count',
  fires: 'above',
  window: false,
  figure: null,
  summary: () => 'A finding was raised',
  chart: null,
});
