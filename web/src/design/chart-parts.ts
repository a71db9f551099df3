import { visibleText } from '../format/visible-text.ts';
import type { ThemeColors } from './theme.ts';

/** The height that a chart keeps free above its plot for the buttons of marks. */
export const marksHeight = 20;

/** The tooltip of every chart. */
export function tooltip(colors: ThemeColors): Record<string, unknown> {
  return {
    confine: true,
    backgroundColor: colors.raised,
    borderColor: colors.line,
    padding: [6, 10],
    textStyle: { color: colors.ink, fontSize: 12 },
    transitionDuration: 0,
  };
}

const maxNameLength = 60;

/**
 * A tooltip built from elements, because names are untrusted and must not be parsed as HTML.
 *
 * @param events names of what happened there
 */
export function tooltipOf(
  title: string,
  rows: ReadonlyArray<[name: string, value: string, color: string]>,
  events: readonly string[] = [],
): HTMLElement {
  const box = document.createElement('div');
  const head = document.createElement('div');
  head.textContent = visibleText(title);
  head.style.fontWeight = '600';
  box.append(head);
  for (const [name, value, color] of rows) {
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;gap:12px;justify-content:space-between;align-items:center';
    const label = document.createElement('bdi');
    label.textContent = visibleText(name);
    const dot = document.createElement('span');
    dot.style.cssText = `width:8px;height:8px;border-radius:2px;flex:none;background:${color}`;
    const left = document.createElement('span');
    left.style.cssText = 'display:flex;gap:6px;align-items:center';
    left.append(dot, label);
    const right = document.createElement('b');
    right.textContent = value;
    row.append(left, right);
    box.append(row);
  }
  for (const name of events) {
    const line = document.createElement('div');
    const text = document.createElement('bdi');
    text.textContent = visibleText(name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name);
    line.append('▾ ', text);
    box.append(line);
  }
  return box;
}

/** The labels of every axis. */
export const axisLabel = (colors: ThemeColors) => ({ color: colors.inkFaint, fontSize: 11 });
