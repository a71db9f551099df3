import { isAlphanumeric, isDigit, seekBy, spacesEnd } from '../scanner.ts';
import type { Reader } from '../scanner.ts';
import { entity } from './entity.ts';
import type { Entity } from './entity.ts';

/** Issuers: ranges of the first digits, and the lengths of their numbers. */
const issuers = [
  issuer('4', [13, 16, 19]),
  issuer('51-55 2221-2720', [16]),
  issuer('34 37', [15]),
  issuer('6011 644-649 65 622126-622925', [16, 19]),
  issuer('300-305 3095 36 38-39', [14, 16, 19]),
  issuer('35', [16, 19]),
  issuer('1800 2131', [15]),
  issuer('62 81', [16, 17, 18, 19]),
  issuer('2200-2204', [16, 17, 18, 19]),
  // Maestro and national schemes beside it.
  issuer('50 56-58 6012-6099 61 63-64 66-69 0604', [12, 13, 14, 15, 16, 17, 18, 19]),
];

/** Digits of the shortest number. */
const shortest = 12;

/** Numbers of payment cards: an issuer's range and length, and the check digit of ISO/IEC 7812. Spaces or single hyphens may stand between digits. */
export const paymentCard: Entity<'payment_card'> = entity('Payment card', {
  label: 'payment_card',
  begins: isDigit,
  seek: seekBy(/(?<![A-Za-z0-9])\d(?:(?:-| {1,3})?\d){11}/g),
  attempt,
});

function attempt(reader: Reader, start: number): number {
  const before = reader.at(start - 1);
  if (isAlphanumeric(before) || ((before === 46 || before === 45 || before === 44) && isDigit(reader.at(start - 2)))) return -1;
  let digits = 0;
  // The sums of Luhn's algorithm, for an even and an odd number of digits.
  let even = 0;
  let odd = 0;
  let separator = 0;
  let best = -1;
  for (let at = start; digits <= 19; at += 1) {
    const unit = reader.at(at);
    const next = reader.at(at + 1);
    if (isDigit(unit)) {
      const digit = unit - 48;
      const twice = digit > 4 ? digit * 2 - 9 : digit * 2;
      // A digit counts twice where the number of digits behind it, with its own, is even.
      even += digits % 2 === 0 ? twice : digit;
      odd += digits % 2 === 0 ? digit : twice;
      digits += 1;
      // A number ends where a group of digits ends.
      if (!isAlphanumeric(next) && digits >= shortest && (digits % 2 === 0 ? even : odd) % 10 === 0) {
        if (hasIssuer(reader.text.slice(start, at + 1).replaceAll(/\D/g, ''))) best = at + 1;
      }
    } else if ((unit !== 32 && unit !== 45) || (separator !== 0 && unit !== separator)) break;
    else {
      const behind = unit === 32 ? spacesEnd(reader, at) : at + 1;
      if (behind === at || !isDigit(reader.at(behind))) break;
      separator = unit;
      at = behind - 1;
    }
  }
  reader.spend(40);
  return best;
}

interface Issuer {
  ranges: ReadonlyArray<{ first: string; last: string }>;
  lengths: readonly number[];
}

function issuer(ranges: string, lengths: readonly number[]): Issuer {
  const parts = ranges.split(' ').map((range) => range.split('-'));
  return { ranges: parts.map(([first = '', last = first]) => ({ first, last })), lengths };
}

function hasIssuer(digits: string): boolean {
  return issuers.some(
    ({ ranges, lengths }) =>
      lengths.includes(digits.length) &&
      ranges.some(({ first, last }) => {
        const begin = digits.slice(0, first.length);
        return begin >= first && begin <= last;
      }),
  );
}
