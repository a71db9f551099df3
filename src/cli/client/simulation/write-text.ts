import { appendFile, writeFile } from 'node:fs/promises';
import { Refusal } from '../service/refusal.ts';

/** Writes a file. Errors: {@link Refusal}. */
export function writeText(file: string, text: string): Promise<void> {
  return refusing(file, writeFile(file, text));
}

/** Appends to a file. Errors: {@link Refusal}. */
export function appendText(file: string, text: string): Promise<void> {
  return refusing(file, appendFile(file, text));
}

async function refusing(file: string, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw new Refusal(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
