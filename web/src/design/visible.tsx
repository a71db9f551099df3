import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { classNames } from './class-names.ts';

/**
 * Text that somebody sent: shown as text, isolated from the direction of what stands around it, with hidden characters made visible.
 */
export function Visible({ text, className }: { text: string; className?: string }): ReactNode {
  return <bdi className={className}>{visibleText(text)}</bdi>;
}

/** A name of many parts, such as an attribute's: lines break between its parts before they break inside one. */
export function VisibleKey({ text }: { text: string }): ReactNode {
  const parts = visibleText(text).split(/(?<=[._])/);
  return (
    <bdi>
      {parts.map((part, index) => (
        // The parts of a text neither move nor go.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

/** The same in one line, cut at the end; the whole is in its tooltip. */
export function VisibleLine({ text, className }: { text: string; className?: string }): ReactNode {
  const shown = visibleText(text);
  return (
    <bdi className={classNames('block truncate', className)} title={shown.length > 1000 ? `${shown.slice(0, 1000)}…` : shown}>
      {shown}
    </bdi>
  );
}
