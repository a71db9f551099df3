import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PackVerification } from '../../api/service.ts';
import { checkTitles } from './pack-words.ts';

/** The result of a verification, with each check. */
export function CheckResults({ verification: { valid, checks } }: { verification: PackVerification }): ReactNode {
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className={valid ? 'font-semibold text-good' : 'font-semibold text-bad'}>
        {valid ? 'Valid. The pack is unchanged.' : 'Not valid. This is not the pack as it was generated.'}
      </p>
      <ul aria-label="Checks" className="flex flex-col gap-1.5">
        {checks.map(({ name, ok, detail }) => {
          const Icon = ok ? CircleCheck : CircleX;
          return (
            <li key={name} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 sm:grid-cols-[1rem_7rem_minmax(0,1fr)]">
              <Icon className={ok ? 'mt-0.5 size-4 text-good' : 'mt-0.5 size-4 text-bad'} aria-label={ok ? 'ok' : 'failed'} />
              <span className="font-medium">{checkTitles[name]}</span>
              <span className="[overflow-wrap:anywhere] text-ink-soft max-sm:col-start-2">{detail}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
