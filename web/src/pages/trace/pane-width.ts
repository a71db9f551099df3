import { useCallback, useState } from 'react';

const key = 'spanwise.trace.tree-share';
const [smallest, largest, byDefault] = [0.2, 0.8, 0.5];

function read(): number {
  try {
    const stored = Number(localStorage.getItem(key));
    return stored >= smallest && stored <= largest ? stored : byDefault;
  } catch {
    // Storage may be blocked.
    return byDefault;
  }
}

/** The share of the width that the tree of a trace takes, 0.2 to 0.8, remembered in this browser, and the function that changes it. */
export function usePaneShare(): [share: number, set: (share: number) => void] {
  const [share, setShare] = useState(read);
  const set = useCallback((next: number) => {
    const kept = Math.min(largest, Math.max(smallest, next));
    setShare(kept);
    try {
      localStorage.setItem(key, kept.toFixed(3));
    } catch {
      // It lasts until the page is closed.
    }
  }, []);
  return [share, set];
}
