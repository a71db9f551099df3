import { createHash } from 'node:crypto';

/** What the files of prompts end with. */
export const extension = '.md';

/** Bytes of a file name without its extension; file systems take 255 with it. */
const maxBytes = 200;
/** Stands before the hash that replaces the rest of a long name. Names have it percent-encoded. */
const cutMark = '~';
const plain = /[\p{L}\p{N} _.,+=@()-]/u;
const ascii = /[ -~]/;
/** Names of devices, which Windows refuses with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file name without folders for the name of a prompt. What file systems treat specially is percent-encoded; {@link promptNameOf} reverses it, except for
 * a name that is too long.
 *
 * @param encodeCapitals also capitals, where another name differs in case alone
 */
export function fileNameOf(name: string, encodeCapitals = false): string {
  const encoded = encodedParts(name, encodeCapitals);
  return Buffer.byteLength(encoded.join('')) <= maxBytes ? `${encoded.join('')}${extension}` : hashedName(name, encoded);
}

function encodedParts(name: string, encodeCapitals = false): string[] {
  // Some file systems store accents in another form than they were given.
  const keepsLetters = name === name.normalize('NFC');
  const characters = [...name];
  return characters.map((character, index) => {
    const isEdge = index === 0 || index === characters.length - 1;
    const isHidden = (index === 0 && character === '.') || (isEdge && character === ' ');
    const isReserved = index === 0 && reserved.test(name);
    const isCapital = encodeCapitals && character !== character.toLowerCase();
    const isPlain = plain.test(character) && (keepsLetters || ascii.test(character));
    return isPlain && !isHidden && !isReserved && !isCapital ? character : percentEncoded(character);
  });
}

/** What fits of an encoded name, with a hash instead of the rest. */
function hashedName(name: string, encoded: readonly string[]): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const kept: string[] = [];
  let bytes = 0;
  for (const part of encoded) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes - hash.length) break;
    kept.push(part);
  }
  return `${kept.join('')}${cutMark}${hash}${extension}`;
}

/** The name of a prompt that a file name stands for; null where it stands for none, or was cut. */
export function promptNameOf(fileName: string): string | null {
  const base = fileName.slice(0, -extension.length);
  if (base === '' || base.includes(cutMark)) return null;
  try {
    return decodeURIComponent(base);
  } catch {
    return null;
  }
}

/**
 * File names for prompts, of which no two differ in case or normalization alone.
 *
 * @param taken file names that are there already
 */
export function fileNamesOf(names: readonly string[], taken: readonly string[]): Map<string, string> {
  const used = new Set(taken.map(folded));
  const files = new Map<string, string>();
  for (const name of names) {
    const file =
      [fileNameOf(name), fileNameOf(name, true)].find((one) => !used.has(folded(one))) ?? hashedName(name, encodedParts(name));
    used.add(folded(file));
    files.set(name, file);
  }
  return files;
}

function folded(fileName: string): string {
  return fileName.normalize('NFC').toLowerCase();
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
