import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { classNames } from './class-names.ts';

/**
 * Untrusted text: isolated from the surrounding text direction, with hidden characters made visible.
 */
export function Visible({ text, className }: { text: string; className?: string }): ReactNode {
  return <bdi className={className}>{visibleText(text)}</bdi>;
}

/** A dotted name such as an attribute key; lines break between its parts first. */
export function VisibleKey({ text }: { text: string }): ReactNode {
  const parts = visibleText(text).split(/(?<=[._])/);
  return (
    <bdi>
      {parts.map((part, index) => (
        // The parts of a text have no other key and never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

/** Untrusted text on one line, truncated at the end, with the full text in its tooltip. */
export function VisibleLine({ text, className }: { text: string; className?: string }): ReactNode {
  const shown = visibleText(text);
  return (
    <bdi className={classNames('block truncate', className)} title={shown.length > 1000 ? `${shown.slice(0, 1000)}…` : shown}>
      {shown}
    </bdi>
  );
}
