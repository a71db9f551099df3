import { isAlphanumeric, isDigit, isWord, seekBy } from '../scanner.ts';
import type { Reader } from '../scanner.ts';
import { entity } from './entity.ts';
import type { Entity } from './entity.ts';

/** Units before an address in which a name of another kind of number is looked for. */
const reach = 40;
/** The name of a product, as in `Chrome/120.0.0.0`, or a word before a version or a section. What a URL has before its host is neither. */
const otherNumber =
  /(?:^|[\s("';,])[A-Za-z][\w.+-]{0,39}\/$|(?:^|[^\p{L}])(?:v|ver|vers|version|versions|versión|versione|versão|versie|wersja|версия|section|sections|sec|chapter|clause|paragraph|article|appendix|figure|table|release|build|revision|rev|firmware|driver|oid|abschnitt|kapitel|ziffer|artikel|sección|capítulo|sezione|§{1,3}|バージョン|版本)[.:#\s]{0,3}$/iu;

/**
 * Addresses of IPv4 and IPv6 (RFC 4291), with their zone (RFC 4007) and prefix length. None is the loopback or unspecified address, which is nobody's; a version, a section or the
 * number of a product; and, of IPv6, a name such as `db::add`: there are three groups, or one of them has a digit.
 */
export const ipAddress: Entity<'ip_address'> = entity('IP address', {
  label: 'ip_address',
  begins: (unit) => isHex(unit) || unit === colon,
  seek: seekBy(/(?<![\w:])(?:[\dA-Fa-f]{0,4}:[\dA-Fa-f:]|\d{1,3}\.\d)/g),
  attempt(reader, start) {
    const before = reader.at(start - 1);
    if (isWord(before) || before === colon || (before === dot && isAlphanumeric(reader.at(start - 2)))) return -1;
    const ipv6 = ipv6At(reader, start);
    if (ipv6 < 0) {
      const ipv4 = ipv4At(reader, start);
      return ipv4 < 0 || isOther(reader, start, ipv4) ? -1 : prefixEnd(reader, ipv4, 32);
    }
    const end = prefixEnd(reader, zoneEnd(reader, ipv6), 128);
    // With a prefix length it is a network.
    return isName(reader.slice(start, ipv6)) && reader.at(ipv6) !== 47 ? -1 : end;
  },
});

const colon = 58;
const dot = 46;

function isHex(unit: number): boolean {
  return isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

/** Whether an IPv4 address is nobody's, or a number of another kind. */
function isOther(reader: Reader, start: number, end: number): boolean {
  reader.spend(reach);
  if (/^(?:127\.|0\.0\.0\.0$)/.test(reader.slice(start, end))) return true;
  return otherNumber.test(reader.text.slice(Math.max(0, start - reach), start));
}

/** Whether what has the form of an IPv6 address is a name, or the loopback or unspecified address. */
function isName(text: string): boolean {
  const groups = text.split(/:+/).filter((group) => group !== '');
  if (groups.every((group) => /^0+$/.test(group))) return true;
  if (/^0*1$/.test(groups.at(-1) ?? '') && groups.slice(0, -1).every((group) => /^0+$/.test(group))) return true;
  return groups.length < 3 && !/\d/.test(text);
}

/** The end of an IPv4 address at an offset, or -1. */
function ipv4At(reader: Reader, start: number): number {
  let at = start;
  for (let part = 0; part < 4; part += 1) {
    if (part > 0 && reader.at(at++) !== dot) return -1;
    const end = reader.run(at, isDigit, 4);
    if (end === at || end - at > 3 || Number(reader.text.slice(at, end)) > 255) return -1;
    // A leading zero would be octal to some readers.
    if (end - at > 1 && reader.at(at) === 48) return -1;
    at = end;
  }
  return isWord(reader.at(at)) || (reader.at(at) === dot && isDigit(reader.at(at + 1))) ? -1 : at;
}

/** The end of an IPv6 address at an offset, or -1. */
function ipv6At(reader: Reader, start: number): number {
  let groups = 0;
  let gap = false;
  let at = start;
  if (reader.at(at) === colon) {
    if (reader.at(at + 1) !== colon) return -1;
    gap = true;
    at += 2;
  }
  for (let end = at; groups < 8; at = end) {
    end = reader.run(at, isHex, 5);
    if (end - at > 4) return -1;
    if (end === at) break;
    if (reader.at(end) === dot && groups <= 6) {
      const ipv4 = ipv4At(reader, at);
      if (ipv4 >= 0) return gap ? (groups <= 5 ? ipv4 : -1) : groups === 6 ? ipv4 : -1;
    }
    groups += 1;
    if (reader.at(end) !== colon) {
      at = end;
      break;
    }
    if (reader.at(end + 1) === colon) {
      if (gap) return -1;
      gap = true;
      end += 2;
    } else if (groups < 8 && isHex(reader.at(end + 1))) end += 1;
    else {
      at = end;
      break;
    }
  }
  if (gap ? groups > 7 : groups !== 8) return -1;
  const after = reader.at(at);
  if (after === dot && isDigit(reader.at(at + 1))) return -1;
  return isWord(after) || (after === colon && (isHex(reader.at(at + 1)) || reader.at(at + 1) === colon)) ? -1 : at;
}

/** The end of a zone such as `%eth0` at an offset, or the offset. */
function zoneEnd(reader: Reader, from: number): number {
  if (reader.at(from) !== 37) return from;
  let end = reader.run(from + 1, (unit) => isWord(unit) || unit === dot || unit === 45, 32);
  while (!isWord(reader.at(end - 1)) && end > from + 1) end -= 1;
  return end > from + 1 ? end : from;
}

/** The end of a prefix length such as `/24` at an offset, or the offset. */
function prefixEnd(reader: Reader, from: number, largest: number): number {
  if (reader.at(from) !== 47) return from;
  const end = reader.run(from + 1, isDigit, 4);
  if (end === from + 1 || end - from > 4 || isWord(reader.at(end))) return from;
  return Number(reader.text.slice(from + 1, end)) <= largest ? end : from;
}
