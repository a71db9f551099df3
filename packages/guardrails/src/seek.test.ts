import fc from 'fast-check';
import { expect, test } from 'vitest';
import { email } from './entities/email.ts';
import { iban } from './entities/iban.ts';
import { ipAddress } from './entities/ip-address.ts';
import { paymentCard } from './entities/payment-card.ts';
import { phone } from './entities/phone.ts';
import { secretScanners } from './entities/secrets.ts';
import { usSsn } from './entities/us-ssn.ts';
import { TextWork } from './text-work.ts';

const entities = [email, iban, ipAddress, paymentCard, phone, usSsn].map(({ scannerFor }) =>
  scannerFor({ phoneRegions: ['US'] }),
);
const seeks = [...new Set([...entities, ...secretScanners].map(({ seek }) => seek))];
const piece = fc.oneof(
  fc.constantFrom(
    'jo@example.com',
    'a'.repeat(70),
    '@',
    '-',
    '-----BEGIN ',
    'sk-',
    'eyJ',
    'ghp_',
    'GB82 WEST 1234',
    '10.0.0.1',
    '::1',
    'api_key: ',
    'aws',
    '-u ',
    '"=:',
  ),
  fc.constantFrom('212-555-0100', '(212)', '+49', '4111 1111 1111 1111', '123-45-6789', ' ', '_', '.', 'é', '😀'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);

test('an offset that was sought is the answer for every offset before it', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 20 }),
      (pieces, offsets) => {
        const text = pieces.join('');
        const work = new TextWork(text);
        for (const seek of seeks) {
          for (const from of offsets)
            expect(work.seek(seek, Math.min(from, text.length))).toBe(seek(text, Math.min(from, text.length)));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
