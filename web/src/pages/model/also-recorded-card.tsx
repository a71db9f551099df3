import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedModel } from '../../api/parts.ts';
import { Card } from '../../design/card.tsx';
import { Count, Share, Unpriced, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';
import { otherNames, sumsOf } from './also-recorded.ts';

interface AlsoRecordedProps {
  model: string;
  models: readonly ListedModel[];
  range: FiguresSearch;
}

/**
 * The other names under which calls of the model are recorded, and the figures of all: a client that failed, or that streams, may name the model that was
 * asked for, and others the one that answered. Nothing where there is only one name.
 */
export function AlsoRecordedCard({ model, models, range }: AlsoRecordedProps): ReactNode {
  const { at } = useProject();
  const others = otherNames(model, models);
  const own = models.find((row) => row.model === model);
  if (own === undefined || others.length === 0) return null;
  const cells = (row: ReturnType<typeof sumsOf>) => [
    <Count key="c" value={row.total_calls} />,
    row.unpriced_calls === row.total_calls ? (
      <Unpriced key="u" />
    ) : (
      <Usd key="u" value={row.total_cost} unpriced={row.unpriced_calls} partly={row.partly_priced_calls} />
    ),
    <Share key="e" value={row.error_rate} />,
  ];
  return (
    <Card title="Also recorded as">
      <PlainTable
        label="Also recorded as"
        head={['Name', 'Calls', 'Cost', 'Error rate']}
        rows={[
          ...others.map((row) => ({
            key: row.model,
            cells: [
              <Link key="n" {...pages.model(at, row.model)} search={range} className="hover:text-accent hover:underline">
                <VisibleLine text={row.model} />
              </Link>,
              ...cells(row),
            ],
          })),
          {
            key: '',
            cells: [
              <span key="n" className="font-medium">
                With this name, in all
              </span>,
              ...cells(sumsOf([own, ...others])),
            ],
          },
        ]}
      />
    </Card>
  );
}
