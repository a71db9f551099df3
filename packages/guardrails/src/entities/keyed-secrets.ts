import { eachByte } from '../base64.ts';
import { isAlphanumeric } from '../scanner.ts';
import type { Reader, Scanner, Seek } from '../scanner.ts';

/** Units before a secret in which its name is looked for. */
const reach = 60;
/** Units of a value that say whether it is a secret. One that is longer is a secret to its end. */
const judged = 512;

/** Names such as `API_TOKEN`, `"client_secret"` or `Authorization`, by how they end. */
const ownNames = 'key|token|secret|passw(?:or)?d|passwd|passphrase|pwd|authorization|credentials?|login';
const names = `${ownNames}|auth|bearer`;
/** What stands between a name and its value. */
const closing = String.raw`["'\x60\])]{0,2}`;
const sign = String.raw`\s{0,4}(?:::?=|=>|[:=,])\s{0,4}`;
const quotes = String.raw`["'\x60]{0,3}$`;
const named = new RegExp(`(?:${names})${closing}(?:${sign}|\\s{1,2})(?:(?:bearer|basic|token)\\s{1,4})?${quotes}`, 'i');
const keyed = new RegExp(`(?:${ownNames})${closing}${sign}${quotes}`, 'i');
const bearer = /\bbearer\s{1,4}["']?$/i;
const basic = /\bbasic\s{1,4}["']?$/i;
const ofAccount = /AccountKey\s?=\s?$/i;
const userOption = /(?:^|\s)(?:-u|--user|--proxy-user)[ =]{1,2}["']?$/;
const awsNames = 'aws|secret[ _-]?(?:access[ _-]?)?key|secretkey|(?:AKIA|ASIA)[A-Z0-9]{16}';
const ofAws = new RegExp(`(?:${awsNames})[^A-Za-z0-9/+=][^]{0,36}$`, 'i');

/** Leads to what stands behind the names above and what may separate them from a value: all places at which one of the tests above may hold. */
const seekNamed = seekBehind(new RegExp(`(?:${names}|basic|-u|-user)(["'\`\\])\\s:=>,]{1,16})`, 'gi'));
const seekAws = seekBehind(new RegExp(`(?:${awsNames})([^A-Za-z0-9/+=][^]{0,36})`, 'gi'));

const valueUnits = unitsOf('_+/=.~!@#$%^&*-:|');
const base64Units = unitsOf('+/=');
const isValue = (unit: number): boolean => unit >= 0 && valueUnits[unit] === 1;
const isBase64 = (unit: number): boolean => unit >= 0 && base64Units[unit] === 1;
/** East Asian characters end it, because their scripts put no space behind a URL. */
const isUserInfo = (unit: number): boolean =>
  unit > 32 && unit < 0x2e80 && !`/"'<>\`\\?#()[]{},;`.includes(String.fromCharCode(unit));

/** What stands for a value in samples. */
const placeholder =
  /^[$%{<]|[{}<>]|^[xX*._-]+$|[xX*]{5}|(?:your|my|some|example|sample|dummy|changeme|placeholder|redacted|insert|secret|password)[_-]?|0{8}|1234567890|123456789|\.\.\.|^(?:true|false|null|none|undefined)/i;
/** Names of records more often than secrets. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Scanners of secrets that what stands beside them tells: their name, the URL that they are in, the key that belongs to them. */
export const keyedScanners: readonly Scanner[] = [
  keyedScanner('azure_account_key', seekNamed, azureKeyAt),
  keyedScanner('aws_secret_key', seekAws, awsKeyAt),
  keyedScanner('basic_auth', seekNamed, basicAt),
  keyedScanner('generic_secret', seekNamed, genericAt),
  { label: 'url_password', begins: isUserInfo, seek: seekUrl, attempt: urlPasswordAt },
];

function keyedScanner(label: string, seek: Seek, valueEnd: (reader: Reader, start: number, before: string) => number): Scanner {
  return {
    label,
    begins: isValue,
    seek,
    attempt(reader, start) {
      if (!mayBeginBehind(reader.at(start - 1))) return -1;
      reader.spend(reach >> 2);
      return valueEnd(reader, start, reader.text.slice(Math.max(0, start - reach), start));
    },
  };
}

/** Whether a value may begin behind a unit: a space, a quote or a sign, not inside a word or at the start of a text. */
function mayBeginBehind(unit: number): boolean {
  return unit >= 0 && unit < 128 && (!isValue(unit) || unit === 58 || unit === 61);
}

/** Seeks places at which a value may begin in what the group of an expression matches, one unit or more behind where it begins. */
function seekBehind(expression: RegExp): Seek {
  return (text, from) => {
    expression.lastIndex = Math.max(0, from - reach);
    for (let found = expression.exec(text); found; found = expression.exec(text)) {
      const end = found.index + found[0].length;
      for (let at = Math.max(from, end - (found[1]?.length ?? 0) + 1); at <= end && at < text.length; at += 1)
        if (isValue(text.charCodeAt(at)) && mayBeginBehind(text.charCodeAt(at - 1))) return at;
      expression.lastIndex = found.index + 1;
    }
    return text.length;
  };
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
    const end = reader.sharedRun(start, isBase64);
    return end - start >= 8 && isUserAndPassword(judgedPart(reader, start, end)) ? end : -1;
  }
  if (!userOption.test(before)) return -1;
  const end = reader.sharedRun(start, isValue);
  const [user = '', ...password] = judgedPart(reader, start, end).split(':');
  const secret = password.join(':');
  return user !== '' && secret.length >= 3 && !isSample(user, secret) ? end : -1;
}

/** The part of a value that says whether it is a secret. */
function judgedPart(reader: Reader, start: number, end: number): string {
  return reader.slice(start, Math.min(end, start + judged));
}

/** Whether Base64 stands for printable text with a colon. */
function isUserAndPassword(encoded: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return false;
  let hasColon = false;
  const isPrintable = eachByte(encoded, (byte) => {
    hasColon ||= byte === 58;
    return byte >= 32 && byte !== 127;
  });
  return isPrintable && hasColon;
}

/** A value of high entropy behind a name such as `api_key=` or `token:`. */
function genericAt(reader: Reader, start: number, before: string): number {
  const isNamed = keyed.test(before);
  if (!isNamed && !bearer.test(before) && !named.test(before)) return -1;
  const run = reader.sharedRun(start, isValue);
  const isLong = run - start > judged;
  const end = isLong ? run : trimmedEnd(reader, start, run);
  const value = judgedPart(reader, start, end);
  if (value.length < (isNamed ? 10 : 16) || placeholder.test(value) || uuid.test(value)) return -1;
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  // Words, paths, names of members and calls.
  if (
    !isMixed ||
    /^[a-z]+(?:[._/-][a-z0-9]+)+$|^https?:|^\w+\.\w+\.\w+$|:\/\/|\.(?:com|net|org|io|pem|json|ts|js|py)\b/i.test(value)
  )
    return -1;
  if (entropyOf(value) < (value.length < 16 ? 3 : 3.2)) return -1;
  return isLong ? trimmedEnd(reader, start + judged, run) : end;
}

/** The end of a value without the signs that end a sentence. */
function trimmedEnd(reader: Reader, start: number, run: number): number {
  let end = run;
  while (end > start && !isAlphanumeric(reader.at(end - 1)) && !'=_-'.includes(reader.text[end - 1] ?? '')) end -= 1;
  return end;
}

/** User and password in front of a URL's host. */
function urlPasswordAt(reader: Reader, start: number): number {
  if (reader.at(start - 1) !== 47 || reader.at(start - 2) !== 47 || reader.at(start - 3) !== 58) return -1;
  const run = reader.sharedRun(start, isUserInfo);
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
