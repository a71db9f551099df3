import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../replace-file.ts';
import { Misuse, Refusal } from './refusal.ts';

const loginSchema = z.strictObject({
  url: z.string(),
  token: z.string().optional(),
  key: z.string().optional(),
  project: z.string().optional(),
});

/** What `spanwise login` keeps: where a service is, and a personal access token or an API key. */
export type Login = z.output<typeof loginSchema>;

/** The kept login; null if there is none. Errors: {@link Misuse} for a file that is no login. */
export async function readLogin(file: string): Promise<Login | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Misuse(`${file} cannot be read (${code ?? 'unknown reason'}); correct its permissions, or give --url and --token`);
  }
  const parsed = loginSchema.safeParse(jsonIn(text));
  if (!parsed.success) throw new Misuse(`${file} holds no login; remove it, or replace it with: spanwise login`);
  return parsed.data;
}

/** Keeps a login in a file that its owner alone can read. Errors: {@link Refusal}. */
export async function writeLogin(file: string, login: Login): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Renamed, because writing a file that is there would keep its mode.
    const text = `${JSON.stringify(login, null, 2)}\n`;
    await replaceFile(file, (temporary) => writeFile(temporary, text, { mode: 0o600, flag: 'wx' }));
  } catch (error) {
    throw new Refusal(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

/** Removes the kept login. @returns whether there was one. Errors: {@link Refusal}. */
export async function removeLogin(file: string): Promise<boolean> {
  try {
    await rm(file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new Refusal(`${file} cannot be removed (${code ?? 'unknown reason'})`);
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
