import { choices, texts } from '../config-rules.ts';
import type { Detector } from '../detector.ts';
import { email } from '../entities/email.ts';
import type { Entity } from '../entities/entity.ts';
import { iban } from '../entities/iban.ts';
import { ipAddress } from '../entities/ip-address.ts';
import { paymentCard } from '../entities/payment-card.ts';
import { isPhoneRegion, phone } from '../entities/phone.ts';
import { usSsn } from '../entities/us-ssn.ts';
import { scanningDetector } from '../scanning-detector.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

export type PiiEntity = 'email' | 'payment_card' | 'iban' | 'us_ssn' | 'ip_address' | 'phone';

/** Entities of personal data. Of equal matches the first counts. */
const all: { readonly [Name in PiiEntity]: Entity<Name> } = {
  email,
  payment_card: paymentCard,
  iban,
  us_ssn: usSsn,
  ip_address: ipAddress,
  phone,
};

/** Their names. */
export const piiEntities: readonly PiiEntity[] = Object.keys(all) as PiiEntity[];
/** Their names for people. */
export const piiEntityTitles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(all).map(({ name, title }) => [name, title]),
);

interface PiiConfig {
  /** All by default. */
  entities?: readonly PiiEntity[] | undefined;
  /** Regions whose national phone numbers count, by ISO 3166-1; `US` by default. Without any the international form alone counts. */
  phoneRegions?: readonly string[] | undefined;
}

/** Matches of personal data. */
function piiDetector({ entities = piiEntities, phoneRegions = ['US'] }: PiiConfig): Detector {
  const wanted = piiEntities.filter((name) => entities.includes(name));
  return scanningDetector(
    wanted.map((name) => all[name].scannerFor({ phoneRegions })),
    true,
  );
}

export const pii: GuardrailTypeDescription<'pii'> = {
  name: 'pii',
  title: 'Personal data',
  hint: 'Finds email addresses, phone numbers, payment cards and other personal data.',
  fields: {
    entities: {
      ...choices(piiEntities, { most: piiEntities.length, fallback: piiEntities }),
      // All of them, in any order, are the default.
      fill: (value) => (Array.isArray(value) && piiEntities.every((entity) => value.includes(entity)) ? piiEntities : value),
    },
    phoneRegions: texts({
      fewest: 0,
      most: 50,
      fallback: ['US'],
      items: { type: 'string', pattern: '^[A-Z]{2}$' },
      fine: isPhoneRegion,
      message: 'must be a region of ISO 3166-1 in two capital letters, such as US',
    }),
  },
  example: {},
  sample: 'Write to ana.silva@example.com or call +1 202 555 0143. Please charge 4111 1111 1111 1111.',
  redacts: true,
  defaultAction: 'block',
  detector: piiDetector,
};
