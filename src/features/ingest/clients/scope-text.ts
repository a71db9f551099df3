import type { ScopeCounts } from '../../otlp/index.ts';

const maxLength = 120;

/** How an instrumentation scope is shown: `name@version`, printable and bounded; `''` without a name. */
export function scopeText({ name, version }: Pick<ScopeCounts, 'name' | 'version'>): string {
  const clean = (text: string) =>
    text
      .slice(0, 2 * maxLength)
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
      .trim();
  const shown = clean(name);
  const shownVersion = clean(version);
  return (shown === '' || shownVersion === '' ? shown : `${shown}@${shownVersion}`).slice(0, maxLength).toWellFormed();
}
