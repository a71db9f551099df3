import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { PolicyFault, PolicyFile } from '../../api/policies.ts';
import { LineExcerpt } from '../../content/line-excerpt.tsx';
import { lineOf } from '../../content/text-line.ts';
import { Card } from '../../design/card.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';

/** The number of errors at which the service stops. */
const maxFaults = 100;

/** Errors of policy files, each with its place and its line. */
export function FaultList({ faults, files }: { faults: readonly PolicyFault[]; files: readonly PolicyFile[] }): ReactNode {
  const contents = useMemo(() => new Map(files.map(({ path, content }) => [path, content])), [files]);
  const title =
    faults.length >= maxFaults ? `The first ${maxFaults} errors` : `${countedExactly(faults.length, 'error')} in the files`;
  return (
    <div role="alert">
      <Card
        title={<span className="text-bad">{title}</span>}
        aside={<span className="text-xs text-ink-faint">Correct them and drop the files again.</span>}
      >
        <ul aria-label="Errors" className="flex flex-col">
          {faults.map((fault, index) => (
            // Two errors may be equal, and they never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Fault key={index} fault={fault} content={contents.get(fault.path) ?? null} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Fault({ fault: { path, line, column, message }, content }: { fault: PolicyFault; content: string | null }): ReactNode {
  const text = content === null ? null : lineOf(content, line);
  return (
    <li className="border-b border-line bg-bad-soft/50 px-3 py-2 last:border-b-0">
      <p className="break-words">
        <code className="font-mono text-xs text-ink-soft">
          <Visible text={path} />:{line}:{column}
        </code>{' '}
        <Visible text={message} className="text-bad" />
      </p>
      {text !== null && <LineExcerpt lineNumber={line} line={text} character={column} />}
    </li>
  );
}
