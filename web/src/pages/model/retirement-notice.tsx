import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Finding } from '../../api/service.ts';
import { daysLabel } from '../../content/lifecycle-words.ts';
import { classNames } from '../../design/class-names.ts';
import { Visible } from '../../design/visible.tsx';
import { formatUtcDate } from '../../format/time-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Says when a model is retired, and what replaces it. */
export function RetirementNotice({ finding }: { finding: Finding }): ReactNode {
  const { at } = useProject();
  const { daysRemaining, retiresOn, provider, replacement, band } = finding;
  const isNear = band <= 7;
  return (
    <p
      role="status"
      className={classNames(
        'flex flex-wrap gap-x-1.5 rounded-md px-3 py-2',
        isNear ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <span>
        {provider === null ? 'The provider' : <Visible text={provider} />} {daysRemaining < 0 ? 'retired' : 'retires'} this model
        on {formatUtcDate(retiresOn)} ({daysLabel(daysRemaining)}).
        {replacement !== null && (
          <>
            {' '}
            Replacement: <Visible text={replacement} className="font-medium" />.
          </>
        )}
      </span>
      <Link {...pages.modelLifecycle(at)} className="font-medium underline">
        View in Model lifecycle
      </Link>
    </p>
  );
}
