const stored = (projectId: string) => `spanwise-dataset-${projectId}`;

/** Stores the dataset that the viewer last added an item to. */
export function rememberDataset(projectId: string, datasetId: string): void {
  localStorage.setItem(stored(projectId), datasetId);
}

/** The dataset that the viewer last added an item to; null for none. */
export function lastDataset(projectId: string): string | null {
  return localStorage.getItem(stored(projectId));
}
