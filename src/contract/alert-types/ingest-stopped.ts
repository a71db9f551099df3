import { alertType, ofProject } from './alert-type.ts';

export const ingestStopped = alertType({
  ...ofProject,
  name: 'ingest-stopped',
  title: 'Ingestion stopped',
  hint: 'No span has arrived for longer than the window.',
  unit: 'seconds',
  fires: 'above',
  window: true,
  figure: { of: 'arrivals' },
  summary: ({ value }) => `No span has arrived for ${value} seconds`,
  chart: null,
});
