import { isAlphanumeric, isDigit } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';

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

/** Numbers of payment cards: an issuer's range and length, and the check digit of ISO/IEC 7812. Single spaces or hyphens may stand between digits. */
export const paymentCard: Scanner = { label: 'payment_card', begins: isDigit, needs: /\d(?:[ -]?\d){11}/, attempt };

function attempt(reader: Reader, start: number): number {
  const before = reader.at(start - 1);
  if (isAlphanumeric(before) || ((before === 46 || before === 45 || before === 44) && isDigit(reader.at(start - 2)))) return -1;
  let digits = '';
  // The sum of Luhn's algorithm, for an even and an odd number of digits.
  const sums = [0, 0];
  let separator = 0;
  let best = -1;
  for (let at = start; digits.length <= 19; at += 1) {
    const unit = reader.at(at);
    const next = reader.at(at + 1);
    if (isDigit(unit)) {
      addDigit(sums, unit - 48, digits.length);
      digits += String.fromCharCode(unit);
      // A number ends where a group of digits ends.
      if (!isAlphanumeric(next) && (sums[digits.length % 2] ?? 0) % 10 === 0 && hasIssuer(digits)) best = at + 1;
    } else if (isDigit(next) && (unit === separator || (separator === 0 && (unit === 32 || unit === 45)))) separator = unit;
    else break;
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

/** Adds a digit to the sums of Luhn's algorithm: it counts twice where the number of digits behind it, with its own, is even. */
function addDigit(sums: number[], digit: number, position: number): void {
  const twice = digit > 4 ? digit * 2 - 9 : digit * 2;
  sums[0] = (sums[0] ?? 0) + (position % 2 === 0 ? twice : digit);
  sums[1] = (sums[1] ?? 0) + (position % 2 === 0 ? digit : twice);
}
