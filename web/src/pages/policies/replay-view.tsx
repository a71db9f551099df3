import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PolicyReplay } from '../../api/policies.ts';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Count, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { byDifference, replaySentence } from './replay-words.ts';

type Replayed = PolicyReplay['byGuardrail'][number];

/** What the planned guardrails would have done to recorded calls, with examples. */
export function ReplayView({ replay }: { replay: PolicyReplay }): ReactNode {
  const guardrails = byDifference(replay);
  const withExamples = guardrails.filter(({ examples }) => examples.length > 0);
  return (
    <Card
      title="Replay"
      aside={
        <span className="text-xs text-ink-faint">
          <Moment iso={replay.from} /> – <Moment iso={replay.to} />
        </span>
      }
    >
      <p className="px-3 pt-3 font-medium">{replaySentence(replay)}</p>
      <p className="px-3 pb-2 text-xs text-ink-faint">
        The newest calls are replayed, at most 5,000. LLM judges are not replayed.
        {replay.truncated === true && ' Time ran out before every call was replayed; choose a shorter time.'}
      </p>
      {guardrails.length > 0 && replay.spans > 0 && (
        <PlainTable
          label="Replay by guardrail"
          head={['Guardrail', 'Triggered now', 'Triggered, planned', 'Blocked now', 'Blocked, planned', 'Users newly affected']}
          rows={guardrails.map((one) => ({ key: one.guardrail, cells: cellsOf(one) }))}
        />
      )}
      {withExamples.length > 0 && (
        <div className="border-t border-line px-3 py-2">
          <h3 className="text-xs font-medium text-ink-faint">Newly triggered, examples</h3>
          <ul aria-label="Examples" className="mt-1 flex flex-col gap-1">
            {withExamples.flatMap(({ guardrail, examples }) =>
              examples.map((example) => (
                <Example key={`${guardrail} ${example.traceId} ${example.spanId} ${example.stage}`} {...{ guardrail, example }} />
              )),
            )}
          </ul>
        </div>
      )}
    </Card>
  );
}

function cellsOf(one: Replayed): ReactNode[] {
  return [
    <VisibleLine key="g" text={one.guardrail} className="font-medium" />,
    <Count key="tb" value={one.triggeredBefore} />,
    <Changed key="ta" before={one.triggeredBefore} after={one.triggeredAfter} />,
    <Count key="bb" value={one.blockedBefore} />,
    <Changed key="ba" before={one.blockedBefore} after={one.blockedAfter} />,
    <Count key="u" value={one.users} />,
  ];
}

function Changed({ before, after }: { before: number; after: number }): ReactNode {
  return (
    <span className={after > before ? 'font-semibold text-bad' : after < before ? 'font-semibold text-good' : undefined}>
      <Count value={after} />
    </span>
  );
}

function Example({ guardrail, example }: { guardrail: string; example: Replayed['examples'][number] }): ReactNode {
  const { at } = useProject();
  const { traceId, spanId, stage, labels } = example;
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <Visible text={guardrail} className="font-medium" />
      <span className="text-ink-soft">{stage} of</span>
      <Link {...pages.trace(at, traceId)} search={{ span: spanId }} className="min-w-0 text-accent hover:underline">
        <VisibleLine text={traceId} />
      </Link>
      {labels.map((label) => (
        <Badge key={label} shrink>
          <Visible text={label} />
        </Badge>
      ))}
    </li>
  );
}
