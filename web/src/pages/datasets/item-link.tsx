import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { formatExact } from '../../format/number-format.ts';

/** A link that opens an item in the panel. */
export function ItemLink({
  id,
  number,
  openId,
}: {
  id: string;
  number: number | undefined;
  openId: string | undefined;
}): ReactNode {
  const isOpen = id === openId;
  return (
    <Link
      to="."
      search={(before: { item?: string | undefined }) => ({ ...before, item: id })}
      replace
      aria-label={number === undefined ? `Item ${id}` : `Item ${number}`}
      aria-current={isOpen ? 'true' : undefined}
      className={classNames('numbers font-medium hover:text-accent hover:underline', isOpen && 'text-accent')}
    >
      {number === undefined ? '…' : formatExact(number)}
    </Link>
  );
}
