import { found } from './detector.ts';
import type { Detector } from './detector.ts';
import { scan, ScannerSet } from './scan.ts';
import type { Scanner } from './scanner.ts';

/** A detector of what scanners find. @param isPlain they read the text with plain separators and digits */
export function scanningDetector(scanners: readonly Scanner[], isPlain = false): Detector {
  const set = new ScannerSet(scanners);
  return {
    detect(options) {
      const { matches, truncated, safeUntil } = scan(set, isPlain ? { ...options, work: options.work.plain } : options);
      return { triggered: matches.length > 0, matches, truncated, reason: found(matches, truncated), safeUntil };
    },
  };
}
