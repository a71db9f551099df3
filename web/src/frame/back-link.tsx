import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link from an error state back to a list. */
export function BackLink(props: LinkProps): ReactNode {
  return <Link {...props} className="text-accent hover:underline" />;
}
