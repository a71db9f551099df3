import { Beginnings } from '../beginnings.ts';
import { isAlphanumeric } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';
import { keyedScanners } from './keyed-secrets.ts';
import { tokenFormats } from './token-formats.ts';
import type { TokenFormat } from './token-formats.ts';

const pemBegin = '-----BEGIN ';
/** Longest line that begins a PEM block, behind `-----BEGIN `. */
const longestPemLabel = 64;
/** What stands for a key in samples of the format. */
const noKey = /^[\s.…*xX-]*$/;
/** Longest content of a PEM block that is looked at for that. */
const longestSample = 256;

const classes = new Map<string, (unit: number) => boolean>();
const base64Url = sharedClassOf('A-Za-z0-9_-');

const prefixesOfAll: readonly string[] = [...new Set(['eyJ', ...tokenFormats.flatMap(({ prefixes }) => prefixes)])];
const beginnings = Beginnings.ofTexts([...prefixesOfAll, pemBegin]);

/** What every secret begins with: a prefix behind a character that is no letter or digit, or the first line of a PEM block. */
const beginning = new RegExp(`(?:^|[^A-Za-z0-9])(?:${prefixesOfAll.map(escaped).join('|')})|${pemBegin}`, 'g');

/** Scanners of all secrets. A token begins where no letter or digit stands before it and ends where none of its characters follows. */
export const secretScanners: readonly Scanner[] = [
  ...tokenFormats.map(tokenScanner),
  { label: 'jwt', begins: is('e'), seek, beginnings, attempt: jwtAt },
  { label: 'private_key', begins: is('-'), seek, beginnings, attempt: privateKeyAt },
  ...keyedScanners,
];

/** All labels of secrets. */
export const secretLabels: readonly string[] = [...new Set(secretScanners.map(({ label }) => label))];

/** The offset of the next beginning. A look-behind instead of the character before it would be slower. */
function seek(text: string, from: number): number {
  beginning.lastIndex = Math.max(0, from - 1);
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    const start = found.index + (found[0].startsWith('-----B') || isAlphanumeric(found[0].charCodeAt(0)) ? 0 : 1);
    if (start >= from) return start;
    beginning.lastIndex = from;
  }
  return text.length;
}

function tokenScanner({ label, prefixes, body, length: [least, most], shape, variety = 1 }: TokenFormat): Scanner {
  const within = sharedClassOf(body);
  const firsts = new Set(prefixes.map((prefix) => prefix.charCodeAt(0)));
  return {
    label,
    begins: (unit) => firsts.has(unit),
    seek,
    beginnings,
    attempt(reader, start) {
      if (isAlphanumeric(reader.at(start - 1))) return -1;
      const prefix = prefixes.find((candidate) => reader.has(candidate, start));
      if (prefix === undefined) return -1;
      const from = start + prefix.length;
      let end = reader.sharedRun(from, within, most + 1);
      if (end - from > most) return -1;
      // A full stop or a hyphen that ends a sentence is none of the token.
      while (end > from && !isAlphanumeric(reader.at(end - 1)) && !'=_-'.includes(reader.text[end - 1] ?? '')) end -= 1;
      if (end - from < least) return -1;
      const found = reader.slice(from, end);
      if ((shape && !shape.test(found)) || new Set(found).size < variety) return -1;
      return placeholder(found) ? -1 : end;
    },
  };
}

/** Whether the body of a token shows that it is none, such as `XXXX-XXXX`. */
function placeholder(body: string): boolean {
  return /^[xX*.0_-]+$|[xX*]{12}/.test(body);
}

/** Segments of base64url: two that begin as JSON objects do, `eyJ`, and a signature, which an unsecured token leaves out. */
function jwtAt(reader: Reader, start: number): number {
  const before = reader.at(start - 1);
  if (base64Url(before) || before === 46 || !reader.has('eyJ', start)) return -1;
  const header = reader.sharedRun(start, base64Url);
  if (header - start < 12 || reader.at(header) !== 46 || !reader.has('eyJ', header + 1)) return -1;
  const payload = reader.sharedRun(header + 1, base64Url);
  if (payload - header < 10) return -1;
  const signature = reader.at(payload) === 46 ? reader.sharedRun(payload + 1, base64Url) : payload;
  if (signature - payload > 8) return signature;
  return header - start >= 16 && payload - header >= 16 ? payload : -1;
}

/** A PEM block of a private key to its last line, or to the end of the text. */
function privateKeyAt(reader: Reader, start: number): number {
  if (!reader.has(pemBegin, start)) return -1;
  const from = start + pemBegin.length;
  const label = reader.run(from, (unit) => unit === 32 || (unit >= 48 && unit <= 90), longestPemLabel);
  const name = reader.slice(from, label);
  if (!name.includes('PRIVATE KEY') || !reader.has('-----', label)) return -1;
  const ending = `-----END ${name}-----`;
  const end = reader.text.indexOf(ending, label);
  const content = label + 5;
  // A block that holds no key is a sample of the format.
  const isSample = end >= 0 && end - content <= longestSample && noKey.test(reader.slice(content, end));
  if (end >= 0) return isSample ? -1 : end + ending.length;
  // Unterminated: to the end, which appended text moves.
  reader.at(reader.length);
  reader.spend(reader.text.length - start);
  return reader.text.length;
}

/** A text as a regular expression for it. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

function is(character: string): (unit: number) => boolean {
  const expected = character.charCodeAt(0);
  return (unit) => unit === expected;
}

/** The same test for the same characters, so that scanners share their runs. */
function sharedClassOf(characters: string): (unit: number) => boolean {
  const within = classes.get(characters) ?? classOf(characters);
  classes.set(characters, within);
  return within;
}

/** A test of UTF-16 units from ranges such as `a-z` and single characters. */
function classOf(characters: string): (unit: number) => boolean {
  const table = new Uint8Array(128);
  for (let index = 0; index < characters.length; index += 1) {
    const isRange = characters[index + 1] === '-' && index + 2 < characters.length;
    const first = characters.charCodeAt(index);
    if (isRange) index += 2;
    table.fill(1, first, characters.charCodeAt(index) + 1);
  }
  return (unit) => unit >= 0 && table[unit] === 1;
}
