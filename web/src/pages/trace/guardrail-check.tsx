import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GuardrailResult } from '../../api/service.ts';
import { ActionBadge } from '../../content/check-action.tsx';
import { guardrailTypeTitle } from '../../content/guardrail-labels.ts';
import { Badge } from '../../design/badge.tsx';
import { Duration } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProjectIfAny } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { matchesByLabel } from './guardrail-output.ts';
import type { GuardrailOutput } from './guardrail-output.ts';

/** A check inside a trace: its action, and what each guardrail found. The text is not stored, only the places of the matches. */
export function GuardrailCheck({ check: { action, results } }: { check: GuardrailOutput }): ReactNode {
  return (
    <section aria-label="Guardrail check" className="rounded-md border border-line">
      <h3 className="flex items-center gap-2 px-2.5 py-1.5 text-xs font-semibold text-ink-soft">
        Guardrail check <ActionBadge action={action} done />
      </h3>
      {results.length === 0 ? (
        <p className="border-t border-line px-2.5 py-1.5 text-ink-faint">No guardrail applied to this text.</p>
      ) : (
        <ul>
          {results.map((result) => (
            <Result key={result.guardrail} result={result} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Result({ result }: { result: GuardrailResult }): ReactNode {
  const at = useProjectIfAny()?.at;
  const { guardrail, type, action, matches, reason, failed, skipped, truncated, latencyMs } = result;
  return (
    <li className="flex flex-col gap-0.5 border-t border-line px-2.5 py-1.5">
      <div className="flex min-w-0 items-center gap-2">
        {failed === true ? (
          <Badge tone="bad">failed</Badge>
        ) : skipped === true ? (
          <Badge title="Not asked, because the text was blocked already">skipped</Badge>
        ) : (
          <ActionBadge action={action} done />
        )}
        {at === undefined ? (
          <VisibleLine text={guardrail} className="min-w-0 flex-1 font-medium" />
        ) : (
          <Link {...pages.guardrail(at, guardrail)} className="min-w-0 flex-1 font-medium hover:text-accent hover:underline">
            <VisibleLine text={guardrail} />
          </Link>
        )}
        <span className="shrink-0 text-xs text-ink-faint">
          {guardrailTypeTitle(type)} · <Duration ms={latencyMs} />
        </span>
      </div>
      {reason !== null && matches.length === 0 && (
        <p className="text-xs [overflow-wrap:anywhere] text-ink-soft">
          <Visible text={reason} />
        </p>
      )}
      {matchesByLabel(result).map(({ label, count, places }) => (
        <p key={label} className="text-xs [overflow-wrap:anywhere] text-ink-soft">
          <Visible text={label} className="font-medium" /> {count > 1 && `× ${count} `}
          <span className="numbers text-ink-faint" title="Offsets in the text, in UTF-16 units">
            at {places}
          </span>
        </p>
      ))}
      {truncated === true && <p className="text-xs text-ink-faint">More matches than are recorded.</p>}
    </li>
  );
}
