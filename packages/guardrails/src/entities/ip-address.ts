import { isAlphanumeric, isDigit, isWord, seekBy } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';

/** Addresses of IPv4 and IPv6 (RFC 4291), with their zone (RFC 4007) and prefix length. `::` alone stands for other things more often. */
export const ipAddress: Scanner = {
  label: 'ip_address',
  begins: (unit) => isHex(unit) || unit === colon,
  seek: seekBy(/(?<![\w:])(?:[\dA-Fa-f]{0,4}:[\dA-Fa-f:]|\d{1,3}\.\d)/g),
  attempt(reader, start) {
    const before = reader.at(start - 1);
    if (isWord(before) || before === colon || (before === dot && isAlphanumeric(reader.at(start - 2)))) return -1;
    const ipv6 = ipv6At(reader, start);
    if (ipv6 < 0) {
      const ipv4 = ipv4At(reader, start);
      return ipv4 < 0 ? -1 : prefixEnd(reader, ipv4, 32);
    }
    const end = prefixEnd(reader, zoneEnd(reader, ipv6), 128);
    return end - start > 2 ? end : -1;
  },
};

const colon = 58;
const dot = 46;

function isHex(unit: number): boolean {
  return isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
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
