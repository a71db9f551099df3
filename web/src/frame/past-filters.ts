import { isTexts, readStored, store } from '../stored-value.ts';

const maxPast = 20;
const keyOf = (projectId: string, on: string) => `spanwise-filters:${projectId}:${on}`;

/** The filters of a project that the viewer applied, the last one first. @param on what they are of */
export function pastFilters(projectId: string, on: string): readonly string[] {
  return readStored(keyOf(projectId, on), isTexts, []);
}

/** Remembers a filter that was applied. */
export function rememberFilter(projectId: string, on: string, filter: string): void {
  if (filter === '') return;
  const others = pastFilters(projectId, on).filter((one) => one !== filter);
  store(keyOf(projectId, on), [filter, ...others].slice(0, maxPast));
}
