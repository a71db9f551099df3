/** What is loaded on first use, and again where that failed. */
export interface LoadedOnce<T> {
  (): Promise<T>;
  /** What was asked for already. */
  loading?: Promise<T> | undefined;
}

export function loadedOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  const loaded: LoadedOnce<T> = () =>
    (loaded.loading ??= load().catch((error: unknown) => {
      loaded.loading = undefined;
      throw error;
    }));
  return loaded;
}
