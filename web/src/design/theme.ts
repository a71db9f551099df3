import { useSyncExternalStore } from 'react';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const stored = 'spanwise-theme';
const listeners = new Set<() => void>();
const systemDark = () => globalThis.matchMedia('(prefers-color-scheme: dark)');

/** The stored theme choice; `system` by default. */
export function themeChoice(): ThemeChoice {
  const choice = localStorage.getItem(stored);
  return themeChoices.find((known) => known === choice) ?? 'system';
}

/** Applies the stored theme. Called once, before the first render. */
export function applyStoredTheme(): void {
  const choice = themeChoice();
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

/** Applies and stores a theme. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(stored);
  else localStorage.setItem(stored, choice);
  applyStoredTheme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const media = systemDark();
  media.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
  };
}

/** The theme choice, as a subscription. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice);
}

/** The theme in effect. */
export function useThemeName(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, () => {
    const choice = themeChoice();
    return choice === 'system' ? (systemDark().matches ? 'dark' : 'light') : choice;
  });
}

export interface ThemeColors {
  ink: string;
  inkFaint: string;
  line: string;
  raised: string;
  surface: string;
  bad: string;
  accent: string;
  series: readonly string[];
}

/** The theme's colours, resolved for a canvas. */
export function themeColors(element: HTMLElement): ThemeColors {
  const probe = document.createElement('span');
  element.append(probe);
  const resolve = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ink: resolve('ink'),
    inkFaint: resolve('ink-faint'),
    line: resolve('line'),
    raised: resolve('raised'),
    surface: resolve('surface'),
    bad: resolve('bad'),
    accent: resolve('accent'),
    series: [1, 2, 3, 4, 5, 6, 7].map((number) => resolve(`series-${number}`)),
  };
  probe.remove();
  return colors;
}
