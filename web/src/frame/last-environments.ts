import { useSyncExternalStore } from 'react';
import type { FiguresSearch } from '../range.ts';

const keyOf = (projectId: string) => `spanwise-environments:${projectId}`;
const none = '[]';
const listeners = new Set<() => void>();

/** By project, as JSON. Storage may be blocked; the environments then last until the page is closed. */
const known = new Map<string, string>();

function read(projectId: string): string {
  let names = known.get(projectId);
  if (names === undefined) {
    try {
      names = localStorage.getItem(keyOf(projectId)) ?? none;
    } catch {
      names = none;
    }
    known.set(projectId, names);
  }
  return names;
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Stores the environments that a page shows, for links from pages that have none. */
export function rememberEnvironments(projectId: string, environments: readonly string[]): void {
  const names = JSON.stringify(environments);
  if (names === read(projectId)) return;
  known.set(projectId, names);
  try {
    if (names === none) localStorage.removeItem(keyOf(projectId));
    else localStorage.setItem(keyOf(projectId), names);
  } catch {
    // Kept in memory.
  }
  for (const tell of listeners) tell();
}

/** The environments that were shown last, as search parameters. */
export function useLastEnvironments(projectId: string): Pick<FiguresSearch, 'environment'> {
  const stored = () => read(projectId);
  return searchOf(useSyncExternalStore(subscribe, stored, stored));
}

function searchOf(stored: string): Pick<FiguresSearch, 'environment'> {
  try {
    const names: unknown = JSON.parse(stored);
    return Array.isArray(names) && names.length > 0 ? { environment: names.map(String) } : {};
  } catch {
    return {};
  }
}
