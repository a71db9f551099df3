import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { visiblePart } from '../format/visible-text.ts';
import { codeTokens } from './code-tokens.ts';
import type { CodeTokenKind } from './code-tokens.ts';

const colours: Readonly<Record<CodeTokenKind, string>> = {
  keyword: 'text-accent',
  string: 'text-good',
  number: 'text-warn',
  comment: 'text-ink-faint italic',
  plain: '',
};

/** Code with its keywords, strings, numbers and comments in colours. */
export function ColouredCode({ code, language }: { code: string; language: string }): ReactNode {
  const tokens = useMemo(() => codeTokens(code, language), [code, language]);
  return tokens.map(({ kind, text }, index) =>
    kind === 'plain' ? (
      visiblePart(text)
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- tokens of a text have no other key
      <span key={index} className={colours[kind]}>
        {visiblePart(text)}
      </span>
    ),
  );
}
