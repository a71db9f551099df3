import { found } from '../detector.ts';
import type { Detector } from '../detector.ts';
import { email } from '../entities/email.ts';
import { iban } from '../entities/iban.ts';
import { ipAddress } from '../entities/ip-address.ts';
import { paymentCard } from '../entities/payment-card.ts';
import { isPhoneRegion, phoneScanner } from '../entities/phone.ts';
import { usSsn } from '../entities/us-ssn.ts';
import { scan, ScannerSet } from '../scan.ts';
import type { Scanner } from '../scanner.ts';

/** Entities of `pii`. Of equal matches the first counts. */
export const piiEntities = ['email', 'payment_card', 'iban', 'us_ssn', 'ip_address', 'phone'] as const;
export type PiiEntity = (typeof piiEntities)[number];

export interface PiiConfig {
  /** All by default. */
  entities?: readonly PiiEntity[] | undefined;
  /** Regions whose national phone numbers count, by ISO 3166-1; `US` by default. */
  phoneRegions?: readonly string[] | undefined;
}

/** Matches of personal data. */
export function piiDetector({ entities = piiEntities, phoneRegions = ['US'] }: PiiConfig): Detector {
  const all: Record<PiiEntity, Scanner> = {
    email,
    payment_card: paymentCard,
    iban,
    us_ssn: usSsn,
    ip_address: ipAddress,
    phone: phoneScanner(phoneRegions.filter(isPhoneRegion)),
  };
  return scanningDetector(piiEntities.filter((entity) => entities.includes(entity)).map((entity) => all[entity]));
}

/** A detector of what scanners find. */
export function scanningDetector(scanners: readonly Scanner[]): Detector {
  const set = new ScannerSet(scanners);
  return {
    detect(options) {
      const { matches, truncated, safeUntil } = scan(set, options);
      return { triggered: matches.length > 0, matches, truncated, reason: found(matches, truncated), safeUntil };
    },
  };
}
