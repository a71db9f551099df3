import { isAlphanumeric, isDigit, isLetter, seekBy, spacesEnd } from '../scanner.ts';
import type { Reader } from '../scanner.ts';
import { entity } from './entity.ts';
import type { Entity } from './entity.ts';

/** Lengths of the account numbers of each country in the IBAN registry. */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 ' +
    'TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    // Countries outside the registry that use the format.
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** International bank account numbers: the country's length and the check digits of ISO 13616. Spaces or single hyphens may stand inside. */
export const iban: Entity<'iban'> = entity('IBAN', {
  label: 'iban',
  begins: isLetter,
  seek: seekBy(/(?<![A-Za-z0-9])[A-Za-z]{2}\d\d/g),
  attempt,
});

function attempt(reader: Reader, start: number): number {
  if (isAlphanumeric(reader.at(start - 1))) return -1;
  if (!isLetter(reader.at(start + 1)) || !isDigit(reader.at(start + 2)) || !isDigit(reader.at(start + 3))) return -1;
  const length = lengths[reader.text.slice(start, start + 2).toUpperCase()];
  if (length === undefined) return -1;
  let account = '';
  let at = start;
  for (; account.length < length; at += 1) {
    const unit = reader.at(at);
    if (isAlphanumeric(unit)) account += String.fromCharCode(unit);
    else {
      const behind = unit === 32 ? spacesEnd(reader, at) : unit === 45 ? at + 1 : at;
      if (behind === at || !isAlphanumeric(reader.at(behind))) return -1;
      at = behind - 1;
    }
  }
  reader.spend(100);
  return !isAlphanumeric(reader.at(at)) && remainder(account.toUpperCase()) === 1 ? at : -1;
}

/** The number that the rearranged account number spells, modulo 97. */
function remainder(account: string): number {
  let value = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const digit = Number.parseInt(character, 36);
    value = (value * (digit > 9 ? 100 : 10) + digit) % 97;
  }
  return value;
}
