import type { Detector } from '../detector.ts';
import { secretScanners } from '../entities/secrets.ts';
import { scanningDetector } from './pii.ts';

export interface SecretsConfig {
  /** Labels that do not count. */
  exclude?: readonly string[] | undefined;
}

/** Matches of access tokens and keys in published formats. */
export function secretsDetector({ exclude = [] }: SecretsConfig): Detector {
  return scanningDetector(secretScanners.filter(({ label }) => !exclude.includes(label)));
}
