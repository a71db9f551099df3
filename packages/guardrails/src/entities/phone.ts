import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { CountryCode } from 'libphonenumber-js';
import { isAlphanumeric, isDigit, seekBy, spacesEnd } from '../scanner.ts';
import type { Reader, Scanner } from '../scanner.ts';
import type { Entity } from './entity.ts';
import { hasWord, wordsAfter, wordsBefore } from './context.ts';

/** Longest number with its separators, in units. */
const longest = 36;
/** Steps that a look into the library's metadata counts for. */
const stepsPerParse = 1_500;
/** Beside these any digits are a phone number. */
const phoneWords = (
  'phone phones telephone tel mobile mob cell cellphone ph fax hotline whatsapp telefon telefonnummer handy handynummer mobil mobilnummer rufnummer festnetz ' +
  'portable telefone celular fone fixo telefono movil cellulare telefoon telefonisch'
).split(' ');
/** Beside these they are one where they are written in groups: `invoice number 219099999` is none. */
const otherWords =
  'call calling dial desk office sms text contact number reach answering messages ring anrufen erreichen appelez joindre ligue contato zadzwo llame llamar'.split(
    ' ',
  );
const contextBehind = ['office', 'fax', 'mobile', 'phone', 'cell', 'desk', 'tel'];
/** The same in scripts without spaces, before the digits. */
const phoneMarks = /(?:電話|携帯|ファックス|ＴＥＬ|连絡先|連絡先|电话|手机|फ़ोन|फोन|मोबाइल|тел\.?|телефон)[^\d]{0,6}$/iu;
/** Directly before digits that name something else. */
const otherNumber =
  /(?:(?:^|[^\p{L}])(?:order|invoice|ticket|case|reference|ref|tracking|parcel|serial|account|acct|sku|part|item|build|release|version|isbn|issn|customer|policy|claim|booking|transaction|receipt|member|id|po|model|bestellung|bestellnummer|auftrag|auftragsnummer|rechnung|rechnungsnummer|kundennummer|kunde|vorgang|vertrag|artikel|artikelnummer|sendung|commande|facture|dossier|client|colis|référence|article|pedido|fatura|nota|protocolo|cliente|conta|contrato|processo|boleto|cpf|cnpj|cep)[\s#:.°-]*(?:(?:number|numbers|no|nr|num|nummer|numéro|número|id|code|番号)[\s#:.°-]*)?(?:n?[°º#]\s*)?|(?:注文|請求書?|会員|伝票|追跡|管理|問い合わせ|製造|受付|予約|订单|訂單|发票|编号)(?:番号|号)?[\s:：#]*)$/iu;
/** Units before a number in which that is looked for. */
const otherNumberReach = 40;

/** What an extension begins with. */
const extensionBegins = 'xXeE';
const somethingElse =
  /^\d{4}[-./]\d{1,2}[-./]\d{1,2}|^\d{1,2}[-./]\d{1,2}[-./]\d{4}|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{3}-\d{2}-\d{4}$/;

/** By their regions: guardrails with the same ones share their work on a text. */
const scanners = new Map<string, Scanner>();
const seek = seekBy(/(?<![\w+/])[\d(+]/g);

/** Whether phone numbers of a region (ISO 3166-1, two letters) are known. */
export function isPhoneRegion(region: string): region is CountryCode {
  return isSupportedCountry(region);
}

export const phone: Entity<'phone'> = {
  name: 'phone',
  title: 'Phone number',
  scannerFor: ({ phoneRegions }) => phoneScanner(phoneRegions.filter(isPhoneRegion)),
};

/**
 * Phone numbers: in international form (`+` or `00`); in the national forms of some regions; and, with a region, 7 to 13 digits beside a word such as
 * `phone`, or in groups beside one such as `call`. With its extension, if it has one.
 */
function phoneScanner(regions: readonly CountryCode[]): Scanner {
  const key = regions.join();
  const known = scanners.get(key) ?? newScanner(regions);
  scanners.set(key, known);
  return known;
}

function newScanner(regions: readonly CountryCode[]): Scanner {
  return {
    label: 'phone',
    begins: (unit) => isDigit(unit) || unit === 43 || unit === 40,
    seek,
    attempt(reader, start) {
      const before = reader.at(start - 1);
      if (isAlphanumeric(before) || before === 95 || before === 43 || before === 47) return -1;
      if ((before === 45 || before === 46 || before === 44 || before === 58) && isDigit(reader.at(start - 2))) return -1;
      let words: string[] | undefined;
      let behind: string[] | undefined;
      const ends = endsOf(reader, start);
      const farthest = ends.at(-1)?.end ?? start;
      const whole = reader.slice(start, farthest);
      const nearWords = () => (words ??= wordsBefore(reader, start).slice(-4));
      let other: boolean | undefined;
      const namesOther = () => (other ??= otherNumber.test(textBefore(reader, start)));
      const nextWord = () => (behind ??= wordsAfter(reader, farthest).slice(0, 1));
      for (let last = ends.pop(); last; last = ends.pop()) {
        const { end, digits } = last;
        if (isNumber(reader, { start, end, digits, text: whole.slice(0, end - start), nearWords, nextWord, namesOther }, regions))
          return extensionEnd(reader, end);
      }
      return -1;
    },
  };
}

/** Offsets at which a number that begins at an offset may end, the longest last, with its number of digits. */
function endsOf(reader: Reader, start: number): Array<{ end: number; digits: number }> {
  const ends: Array<{ end: number; digits: number }> = [];
  let depth = 0;
  let digits = 0;
  for (let at = start; at - start < longest; at += 1) {
    const unit = reader.at(at);
    if (isDigit(unit)) {
      digits += 1;
      const next = reader.at(at + 1);
      if (!isDigit(next) && depth === 0 && digits >= 7 && digits <= 15 && !endsBadly(reader, at + 1))
        ends.push({ end: at + 1, digits });
    } else if (unit === 40 && depth === 0) depth = 1;
    else if (unit === 41 && depth === 1) depth = 0;
    else if (unit === 43) {
      if (at > start) break;
    } else {
      const behind = separatorEnd(reader, at);
      if (behind === at) break;
      at = behind - 1;
    }
  }
  return ends;
}

/** Whether what follows says that the digits are a part of something else. */
function endsBadly(reader: Reader, end: number): boolean {
  const next = reader.at(end);
  if (next === 120 || next === 101) return !isExtension(reader, end);
  if (isAlphanumeric(next) || next === 95 || next === 64 || next === 37) return true;
  return (next === 46 || next === 44 || next === 58 || next === 47) && isDigit(reader.at(end + 1)) && next !== 46;
}

/** The end of what stands between two groups of digits or brackets: a hyphen, full stop or slash, with or without spaces, or spaces. */
function separatorEnd(reader: Reader, at: number): number {
  const spaces = spacesEnd(reader, at);
  const unit = reader.at(spaces);
  const hasSign = unit === 45 || unit === 47 || (unit === 46 && spaces === at);
  // A hyphen or slash with space on one side alone ends a number.
  const end = hasSign ? (spaces > at ? spacesEnd(reader, spaces + 1) : spaces + 1) : spaces;
  if (hasSign && spaces > at && end === spaces + 1) return at;
  const next = reader.at(end);
  return end > at && (isDigit(next) || next === 40) ? end : at;
}

interface Candidate {
  start: number;
  end: number;
  /** How many digits it has. */
  digits: number;
  text: string;
  /** What is before it names a number of another kind. */
  namesOther(): boolean;
  /** The words before it. */
  nearWords(): string[];
  /** The first word behind it and the digits that follow. */
  nextWord(): string[];
}

function isNumber(reader: Reader, candidate: Candidate, regions: readonly CountryCode[]): boolean {
  const { start, end, digits, nearWords, nextWord, namesOther } = candidate;
  const text = candidate.text.replaceAll(/ {0,9}([-/]) {0,9}/g, '$1').replaceAll(/ {2,}/g, ' ');
  reader.spend(4);
  if (text.startsWith('+')) return isPossible(reader, `+${digitsOf(text)}`);
  if (/[-./]/.test(text) && isSomethingElse(text)) return false;
  if (digits >= 10 && /^00[1-9]/.test(text) && isPossible(reader, `+${digitsOf(text).slice(2)}`)) return true;
  if (regions.length === 0) return false;
  const hasWords =
    hasWord(nearWords(), phoneWords) || hasWord(nextWord(), contextBehind) || phoneMarks.test(textBefore(reader, start));
  if (digits <= 13 && hasWords) return !namesOther();
  if (isInGroups(reader, start, end)) return false;
  if (regions.some((region) => isNational(reader, text, region))) return !namesOther();
  if (digits > 13 || !hasWord(nearWords(), otherWords) || namesOther()) return false;
  return /\D/.test(text) || regions.some((region) => isGivenOut(reader, text, region));
}

/** What stands before a number, as far as it is looked at. */
function textBefore(reader: Reader, start: number): string {
  return reader.text.slice(Math.max(0, start - otherNumberReach), start);
}

/** Whether a number is a part of more groups of digits: a group of three digits or more stands before or behind it. */
function isInGroups(reader: Reader, start: number, end: number): boolean {
  const behind = separatorEnd(reader, end);
  if (behind > end && reader.run(behind, isDigit, 3) - behind === 3) return true;
  return reader.at(start - 1) === 32 && /\d{3}$/.test(reader.text.slice(Math.max(0, start - 4), start - 1));
}

/** Whether a text has the form of a date, an IP address or a social security number. */
function isSomethingElse(text: string): boolean {
  return somethingElse.test(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

function isPossible(reader: Reader, number: string): boolean {
  reader.spend(stepsPerParse);
  return parsePhoneNumberFromString(number)?.isPossible() === true;
}

/** The forms of regions that write national numbers without a prefix: area, exchange and line of North America; area and number of Brazil. */
const forms: Readonly<Record<string, RegExp>> = {
  US: /^(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. /])\d{3}[-. ]\d{4}$/,
  BR: /^(?:\(0?[1-9]\d\) ?|0?[1-9]\d[- ])(?:9\d{4}|[2-5]\d{3})[-. ]\d{4}$/,
};

/** Numbers that are kept free for plays and examples, which the library does not know. */
const reserved: Readonly<Record<string, RegExp>> = {
  GB: /^\(?0(?:7700\)?[ -]?900|1632\)?[ -]?960|3069[ -]?990|8081[ -]?570)[ -]?\d{3}$/,
};

/** Whether a text is a number in the form in which a region writes its numbers, with the prefix that it writes before them. */
function isNational(reader: Reader, text: string, region: CountryCode): boolean {
  const form = forms[region === 'CA' ? 'US' : region];
  if (form && !form.test(text)) return false;
  if (reserved[region]?.test(text) === true || region === 'US' || region === 'CA') return true;
  if (!form && isDecimal(text)) return false;
  reader.spend(stepsPerParse);
  const plain = digitsOf(text);
  const parsed = parsePhoneNumberFromString(plain, region);
  if (!parsed?.isValid()) return false;
  if (form) return true;
  // With the prefix that the region writes before such numbers. Where it writes none only groups show a number, both here and in the library's form.
  const national = parsed.formatNational();
  return digitsOf(national) === plain && (plain !== parsed.nationalNumber || (/\D/.test(text) && /\D/.test(national)));
}

/** Whether digits without separators are a number of North America that may be given out. */
function isGivenOut(reader: Reader, text: string, region: CountryCode): boolean {
  if ((region !== 'US' && region !== 'CA') || !/^1?[2-9]\d\d[2-9]\d{6}$/.test(text)) return false;
  reader.spend(stepsPerParse);
  return parsePhoneNumberFromString(text, region)?.isValid() === true;
}

/** Whether a text may be a number with a fraction. */
function isDecimal(text: string): boolean {
  return /^\d+\.\d+$/.test(text) && !/^0[1-9]\d+\./.test(text);
}

/** Whether an extension begins at an offset: `x12`, `ext. 12`. */
function isExtension(reader: Reader, at: number): boolean {
  return extensionEnd(reader, at) > at;
}

/** The end of the extension at an offset, or the offset. */
function extensionEnd(reader: Reader, from: number): number {
  reader.at(from + 14);
  const { text } = reader;
  if (!extensionBegins.includes(text[text[from] === ' ' ? from + 1 : from] ?? '-')) return from;
  const extension = /^ ?(?:x|ext\.?|extension) ?\d{1,6}(?![A-Za-z0-9])/i.exec(text.slice(from, from + 20));
  if (!extension) return from;
  reader.at(from + extension[0].length);
  return from + extension[0].length;
}
