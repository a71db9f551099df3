import type { Locator } from 'playwright-core';

/**
 * Types a text in place of what an editor holds, with keys: an editor that gets the focus restores its own selection, so that Playwright's `fill` may type
 * beside the text that it has selected.
 */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}
