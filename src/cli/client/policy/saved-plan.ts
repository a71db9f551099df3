import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { policyFile, policyPlan } from '../../../contract/policies.ts';
import { Refusal } from '../service/refusal.ts';

const savedPlan = z.object({
  spanwisePlan: z.literal(1),
  project: z.string(),
  plan: policyPlan,
  files: z.array(policyFile),
});

/** A plan with the files that were planned, as `plan --out` writes it and `apply --plan` reads it. */
export type SavedPlan = Omit<z.output<typeof savedPlan>, 'spanwisePlan'>;

/** Errors: {@link Refusal}. */
export async function writePlan(file: string, plan: SavedPlan): Promise<void> {
  await writeFile(file, `${JSON.stringify({ spanwisePlan: 1, ...plan }, null, 2)}\n`).catch((error: unknown) => {
    throw new Refusal(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  });
}

/** Errors: {@link Refusal}. */
export async function readPlan(file: string): Promise<SavedPlan> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  });
  const parsed = savedPlan.safeParse(jsonIn(text));
  if (!parsed.success) throw new Refusal(`${file} is no plan; write one with spanwise policy plan --out ${file}`);
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
