import { isAlphanumeric } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';

/** Units before a secret in which its name is looked for. */
const reach = 60;
const longestSecret = 512;

/** A name such as `API_TOKEN`, `"client_secret"` or `Authorization: Bearer`, and what stands between it and its value. */
const named =
  /(?:key|token|secret|passw(?:or)?d|passwd|passphrase|pwd|auth|authorization|credentials?|login|bearer)["'`\])]{0,2}(?:\s{0,4}(?:::?=|=>|[:=,])\s{0,4}|\s{1,2})(?:(?:bearer|basic|token)\s{1,4})?["'`]{0,3}$/i;
const keyed =
  /(?:key|token|secret|passw(?:or)?d|passwd|passphrase|pwd|authorization|credentials?|login)["'`\])]{0,2}\s{0,4}(?:::?=|=>|[:=,])\s{0,4}["'`]{0,3}$/i;
const bearer = /\bbearer\s{1,4}["']?$/i;
const basic = /\bbasic\s{1,4}["']?$/i;
const ofAws = /(?:aws|secret[ _-]?(?:access[ _-]?)?key|secretkey|(?:AKIA|ASIA)[A-Z0-9]{16})[^A-Za-z0-9/+=][^]{0,36}$/i;
const ofAccount = /AccountKey\s?=\s?$/i;
const userOption = /(?:^|\s)(?:-u|--user|--proxy-user)[ =]{1,2}["']?$/;

/** Where a name ends or a user is given: what follows may be a secret. Behind each stands the value. */
const beginning =
  /(?:key|token|secret|passw(?:or)?d|passwd|passphrase|pwd|authorization|credentials?|login|bearer|basic|\s-u|--user|--proxy-user)["'`\])]{0,2}(?:\s{0,4}(?:::?=|=>|[:=,])\s{0,4}|\s{1,3})(?:(?:bearer|basic|token)\s{1,4})?["'`]{0,3}|(?:AKIA|ASIA)[A-Z0-9]{16}["'`\s,;:|/]{1,6}(?:[A-Za-z_ ]{0,24}[:=]\s?)?["'`]?/gi;

const valueUnits = unitsOf('_+/=.~!@#$%^&*-:|');
const base64Units = unitsOf('+/=');
const isValue = (unit: number): boolean => unit >= 0 && valueUnits[unit] === 1;
const isBase64 = (unit: number): boolean => unit >= 0 && base64Units[unit] === 1;
const isUserInfo = (unit: number): boolean => unit > 32 && !`/"'<>\`\\?#()[]{},;`.includes(String.fromCharCode(unit));

/** What stands for a value in samples. */
const placeholder =
  /^[$%{<]|[{}<>]|^[xX*._-]+$|[xX*]{5}|(?:your|my|some|example|sample|dummy|changeme|placeholder|redacted|insert|secret|password)[_-]?|0{8}|1234567890|123456789|\.\.\.|^(?:true|false|null|none|undefined)/i;
/** Names of records more often than secrets. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Scanners of secrets that what stands beside them tells: their name, the URL that they are in, the key that belongs to them. */
export const keyedScanners: readonly Scanner[] = [
  keyedScanner('azure_account_key', azureKeyAt),
  keyedScanner('aws_secret_key', awsKeyAt),
  keyedScanner('basic_auth', basicAt),
  keyedScanner('generic_secret', genericAt),
  { label: 'url_password', begins: isUserInfo, seek: seekUrl, attempt: urlPasswordAt },
];

function keyedScanner(label: string, valueEnd: (reader: Reader, start: number, before: string) => number): Scanner {
  return {
    label,
    begins: isValue,
    seek: seekValue,
    attempt(reader, start) {
      const unit = reader.at(start - 1);
      // A value begins behind a space, a quote or a sign, not inside a word.
      if (unit < 0 || (isValue(unit) && unit !== 58 && unit !== 61) || unit > 127) return -1;
      reader.spend(reach >> 2);
      return valueEnd(reader, start, reader.text.slice(Math.max(0, start - reach), start));
    },
  };
}

/** The offset behind the next name. */
function seekValue(text: string, from: number): number {
  beginning.lastIndex = Math.max(0, from - reach);
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    const end = found.index + found[0].length;
    if (end >= from) return end;
    beginning.lastIndex = found.index + 1;
  }
  return text.length;
}

/** The offset behind the next `://`. */
function seekUrl(text: string, from: number): number {
  const found = text.indexOf('://', Math.max(0, from - 3));
  return found < 0 ? text.length : Math.max(from, found + 3);
}

/** `AccountKey=` of a connection string of Azure Storage: 64 bytes. */
function azureKeyAt(reader: Reader, start: number, before: string): number {
  if (!ofAccount.test(before)) return -1;
  const end = reader.run(start, isBase64, 89);
  return end - start === 88 && reader.text.endsWith('==', end) && reader.text.slice(start, end).indexOf('=') === 86 ? end : -1;
}

/** 40 characters of Base64 beside `aws`, `secret key` or the id of an access key. */
function awsKeyAt(reader: Reader, start: number, before: string): number {
  const end = reader.run(start, isBase64, 41);
  if (end - start !== 40 || !ofAws.test(before)) return -1;
  const value = reader.slice(start, end);
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && entropyOf(value) >= 3.8 && !/[xX]{5}/.test(value)
    ? end
    : -1;
}

/** User and password of `Authorization: Basic`, in Base64, or of a command's option `-u`. */
function basicAt(reader: Reader, start: number, before: string): number {
  if (basic.test(before)) {
    const end = reader.run(start, isBase64, longestSecret);
    return end - start >= 8 && isUserAndPassword(reader.slice(start, end)) ? end : -1;
  }
  if (!userOption.test(before)) return -1;
  const end = reader.run(start, isValue, 200);
  const [user = '', ...password] = reader.slice(start, end).split(':');
  const secret = password.join(':');
  return user !== '' && secret.length >= 3 && !isSample(user, secret) ? end : -1;
}

/** Whether Base64 stands for printable text with a colon. */
function isUserAndPassword(encoded: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return false;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let hasColon = false;
  let bits = 0;
  let width = 0;
  for (const character of encoded) {
    if (character === '=') break;
    bits = ((bits << 6) | alphabet.indexOf(character)) & 0xffff;
    width += 6;
    if (width < 8) continue;
    width -= 8;
    const byte = (bits >> width) & 0xff;
    if (byte < 32 || byte === 127) return false;
    if (byte === 58) hasColon = true;
  }
  return hasColon;
}

/** A value of high entropy behind a name such as `api_key=` or `token:`. */
function genericAt(reader: Reader, start: number, before: string): number {
  const isNamed = keyed.test(before);
  if (!isNamed && !bearer.test(before) && !named.test(before)) return -1;
  let end = reader.run(start, isValue, longestSecret);
  while (end > start && !isAlphanumeric(reader.at(end - 1)) && !'=_-'.includes(reader.text[end - 1] ?? '')) end -= 1;
  const value = reader.slice(start, end);
  if (value.length < (isNamed ? 10 : 16) || placeholder.test(value) || uuid.test(value)) return -1;
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  // Words, paths, names of members and calls.
  if (
    !isMixed ||
    /^[a-z]+(?:[._/-][a-z0-9]+)+$|^https?:|^\w+\.\w+\.\w+$|:\/\/|\.(?:com|net|org|io|pem|json|ts|js|py)\b/i.test(value)
  )
    return -1;
  return entropyOf(value) >= (value.length < 16 ? 3 : 3.2) ? end : -1;
}

/** User and password in front of a URL's host. */
function urlPasswordAt(reader: Reader, start: number): number {
  if (reader.at(start - 1) !== 47 || reader.at(start - 2) !== 47 || reader.at(start - 3) !== 58) return -1;
  const run = reader.run(start, isUserInfo, longestSecret);
  const info = reader.slice(start, run);
  const end = info.lastIndexOf('@');
  const colon = info.indexOf(':');
  if (end < 0 || colon < 0 || colon > end - 2 || end + 1 >= info.length) return -1;
  const password = info.slice(colon + 1, end);
  return isSample(info.slice(0, colon), password) ? -1 : start + end;
}

/** Whether user and password stand for others in a sample. */
function isSample(user: string, password: string): boolean {
  return (
    user === password ||
    /^[$%{<*]/.test(user) ||
    /^[$%{<*xXyY]+|^(?:my|your|the)?[_-]?(?:password|pass|pwd|passwd|passw0rd|secret|\[?redacted\]?)$|^(?:your|replace|insert|change)[_-]|^(?:1+|1234?|abc|test|foo|bar|yyy)$/i.test(
      password,
    )
  );
}

/** Bits of information in a character, by how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** ASCII letters and digits, and some signs. */
function unitsOf(signs: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, unit) =>
    isAlphanumeric(unit) || signs.includes(String.fromCharCode(unit)) ? 1 : 0,
  );
}
