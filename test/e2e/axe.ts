import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Serious and critical accessibility problems by theme, one line each. */
export interface Problems {
  light: string[];
  dark: string[];
}

export const noProblems: Problems = { light: [], dark: [] };

/** Problems of what a page shows. The dark theme is checked for contrast only: themes differ in colours only. */
export async function problemsInBoth(page: Page): Promise<Problems> {
  await show(page, 'light');
  const light = await problemsOf(axeOf(page));
  await show(page, 'dark');
  const dark = await problemsOf(axeOf(page, loaded).withRules(['color-contrast']));
  await page.emulateMedia({ colorScheme: 'light' });
  return { light, dark };
}

/** Stands for the source of axe where the document has run it: parsing it takes as long as an analysis. */
const loaded = ';';

function axeOf(page: Page, axeSource?: string): AxeBuilder {
  // Legacy mode needs no second page per analysis. Pages have no cross-origin frames. Axe runs every rule, but describes violations only.
  return new AxeBuilder({ page, ...(axeSource === undefined ? {} : { axeSource }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
}

async function problemsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`));
}

/** Switches the colour scheme and waits for transitions to finish. */
async function show(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
}
