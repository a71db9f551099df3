import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * A small table; the columns after the first are right-aligned.
 *
 * @param texts the columns after the first are texts: left-aligned, and cut where they do not fit
 */
export function PlainTable({
  label,
  head,
  rows,
  texts = false,
}: {
  label: string;
  head: readonly string[];
  rows: ReadonlyArray<{ key: string; cells: readonly ReactNode[] }>;
  texts?: boolean;
}): ReactNode {
  return (
    <div className="scroll-thin scroll-more max-h-[30rem] overflow-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full text-left" aria-label={label}>
        <thead>
          <tr>
            {head.map((title, index) => (
              <th
                key={title}
                scope="col"
                className={classNames(
                  'sticky top-0 bg-surface px-3 py-1.5 text-xs font-medium whitespace-nowrap text-ink-faint',
                  index > 0 && !texts && 'text-right',
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line">
              {cells.map((cell, index) => (
                <td
                  key={head[index]}
                  className={classNames(
                    'px-3 py-1.5',
                    texts
                      ? index > 0 && 'max-w-0 w-1/2 min-w-32 truncate'
                      : index > 0
                        ? 'text-right whitespace-nowrap'
                        : 'max-w-0 min-w-32 w-full truncate',
                  )}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
