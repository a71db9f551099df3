import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApplicationUserDetail } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Count, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { TracesLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';

interface TableProps {
  detail: ApplicationUserDetail;
  range: RangeSearch;
}

/** The models that the user's traces called. */
export function ModelsOfUser({ detail: { byModel }, range }: TableProps): ReactNode {
  const { at } = useProject();
  return (
    <CalledCard
      title="By model"
      head="Model"
      none="No calls that name a model."
      rows={byModel.map((row) => ({
        ...row,
        name: row.model,
        link: (
          <Link {...pages.model(at, row.model)} search={range} className="hover:text-accent hover:underline">
            <VisibleLine text={row.model} />
          </Link>
        ),
      }))}
    />
  );
}

/** The agents that called models in the user's traces. */
export function AgentsOfUser({ detail: { user, byAgent }, range }: TableProps): ReactNode {
  return (
    <CalledCard
      title="By agent"
      head="Agent"
      none="No calls of agents."
      rows={byAgent.map((row) => ({
        ...row,
        name: row.agent,
        link: <TracesLink filter={{ ...range, user: user.userId, agent: row.agent }} text={row.agent} />,
      }))}
    />
  );
}

interface Called {
  name: string;
  link: ReactNode;
  calls: number;
  costUsd: number;
  unpricedCalls: number;
  partlyPricedCalls: number;
}

function CalledCard(props: { title: string; head: string; none: string; rows: readonly Called[] }): ReactNode {
  const { title, head, none, rows } = props;
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">{none}</p>
      ) : (
        <PlainTable
          label={title}
          head={[head, 'Calls', 'Cost']}
          rows={rows.map(({ name, link, calls, costUsd, unpricedCalls, partlyPricedCalls }) => ({
            key: name,
            cells: [
              link,
              <Count key="c" value={calls} />,
              <Usd key="u" value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** The guardrails that triggered in the user's traces. */
export function GuardrailsOfUser({ detail: { user, guardrails }, range }: TableProps): ReactNode {
  const { at } = useProject();
  return (
    <Card title="Guardrails that triggered">
      {guardrails.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">None triggered in these traces.</p>
      ) : (
        <PlainTable
          label="Guardrails that triggered"
          head={['Guardrail', 'Checks', 'Traces']}
          rows={guardrails.map(({ slug, triggered }) => ({
            key: slug,
            cells: [
              <Link key="g" {...pages.guardrail(at, slug)} className="hover:text-accent hover:underline">
                <VisibleLine text={slug} />
              </Link>,
              <Count key="c" value={triggered} />,
              <TracesLink key="t" filter={{ ...range, user: user.userId, filter: `guardrail:${quoted(slug)}` }} text="View" />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** A value of a filter. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
