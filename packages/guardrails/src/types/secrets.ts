import type { Detector } from '../detector.ts';
import { secretLabels, secretScanners } from '../entities/secrets.ts';
import { scanningDetector } from '../scanning-detector.ts';
import { choices } from '../config-rules.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

interface SecretsConfig {
  /** Labels that do not count. */
  exclude?: readonly string[] | undefined;
}

/** Matches of access tokens and keys in published formats. */
function secretsDetector({ exclude = [] }: SecretsConfig): Detector {
  return scanningDetector(secretScanners.filter(({ label }) => !exclude.includes(label)));
}

export const secrets: GuardrailTypeDescription<'secrets'> = {
  name: 'secrets',
  title: 'Secrets',
  hint: 'Finds access tokens and private keys in published formats.',
  fields: { exclude: choices(secretLabels, { fewest: 0, most: 100, fallback: [] }) },
  example: {},
  redacts: true,
  defaultAction: 'block',
  detector: secretsDetector,
};
