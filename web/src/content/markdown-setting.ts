import { useSyncExternalStore } from 'react';

const key = 'spanwise.markdown';
const listeners = new Set<() => void>();

/** Storage may be blocked; the setting then lasts until the page is closed. */
let isOn = read();

function read(): boolean {
  try {
    return localStorage.getItem(key) !== 'off';
  } catch {
    return true;
  }
}

function set(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(key, on ? 'on' : 'off');
  } catch {
    // Kept in memory.
  }
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Whether messages are rendered as Markdown, on all pages of this browser, and the function that changes it. */
export function useMarkdownSetting(): [on: boolean, set: (on: boolean) => void] {
  const read = () => isOn;
  return [useSyncExternalStore(subscribe, read, read), set];
}
