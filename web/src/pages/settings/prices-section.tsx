import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { modelsQuery } from '../../api/models.ts';
import { pricesQuery } from '../../api/prices.ts';
import type { ListedModel } from '../../api/parts.ts';
import type { OwnPrice } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatExact } from '../../format/number-format.ts';
import { formatUtcDate } from '../../format/time-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { DeletePrice } from './delete-price.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { RepriceDialog } from './reprice-dialog.tsx';

/** What a dialog is open for. */
type Asked =
  | { what: 'edit'; price: OwnPrice | { model: string } }
  | { what: 'delete'; model: string }
  | { what: 'reprice'; model: string | null };
type Ask = (asked: Asked) => void;

/** Models without a price, the project's own prices, and repricing. */
export function PricesSection(): ReactNode {
  const { organization } = useProject();
  const [asked, setAsked] = useState<Asked | null>(null);
  const canManage = organization.role === 'owner' || organization.role === 'admin';
  const close = () => setAsked(null);
  const onReprice = (model: string) => setAsked({ what: 'reprice', model });
  return (
    <>
      <UnpricedModels canManage={canManage} ask={setAsked} />
      <OwnPrices canManage={canManage} ask={setAsked} />
      {asked?.what === 'edit' && <PriceDialog price={asked.price} onClose={close} onReprice={onReprice} />}
      {asked?.what === 'delete' && <DeletePrice model={asked.model} onClose={close} onReprice={onReprice} />}
      {asked?.what === 'reprice' && <RepriceDialog model={asked.model} onClose={close} />}
    </>
  );
}

interface PartProps {
  canManage: boolean;
  ask: Ask;
}

function UnpricedModels({ canManage, ask }: PartProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(modelsQuery(projectId, { range: '30d' }));
  const models = query.data?.models
    .filter(({ unpriced_calls: unpriced }) => unpriced > 0)
    .toSorted((left, right) => right.unpriced_calls - left.unpriced_calls);
  return (
    <Card title="Unpriced models" aside={<span className="text-xs text-ink-faint">last 30 days</span>}>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !models ? (
        <Skeleton className="m-3 h-24" />
      ) : models.length === 0 ? (
        <Empty title="Every call has a cost" />
      ) : (
        <PlainTable
          label="Unpriced models"
          head={['Model', 'Unpriced calls', 'All calls', 'Input tokens', 'Output tokens', ...(canManage ? ['Actions'] : [])]}
          rows={models.map((model) => ({ key: model.model, cells: unpricedCells(model, canManage ? ask : null) }))}
        />
      )}
    </Card>
  );
}

function unpricedCells(model: ListedModel, ask: Ask | null): ReactNode[] {
  const cells = [
    <VisibleLine key="m" text={model.model} className="font-medium" />,
    <Count key="u" value={model.unpriced_calls} />,
    <Count key="c" value={model.total_calls} />,
    <Count key="i" value={model.total_input_tokens} />,
    <Count key="o" value={model.total_output_tokens} />,
  ];
  if (ask === null) return cells;
  const label = `Set price of ${visibleText(model.model)}`;
  return [
    ...cells,
    <Button key="a" look="quiet" aria-label={label} onClick={() => ask({ what: 'edit', price: { model: model.model } })}>
      Set price
    </Button>,
  ];
}

function OwnPrices({ canManage, ask }: PartProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(pricesQuery(projectId));
  return (
    <Card
      title="Prices of this project"
      aside={
        canManage && (
          <span className="flex gap-2">
            <Button size="small" onClick={() => ask({ what: 'reprice', model: null })}>
              Reprice past calls
            </Button>
            <Button size="small" onClick={() => ask({ what: 'edit', price: { model: '' } })}>
              <Plus aria-hidden />
              Add price
            </Button>
          </span>
        )
      }
    >
      <p className="border-b border-line p-3 text-ink-soft">
        US dollars per million tokens. New calls use this price at once. Past calls keep their cost until you reprice them.
      </p>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Skeleton className="m-3 h-24" />
      ) : query.data.length === 0 ? (
        <Empty title="No prices">
          {canManage ? 'Add a price for a model that the built-in prices lack.' : 'Owners and admins can add prices.'}
        </Empty>
      ) : (
        <PlainTable
          label="Prices of this project"
          head={['Model', 'Input', 'Output', 'Cached', 'Cache write', 'From', 'Updated', ...(canManage ? ['Actions'] : [])]}
          rows={query.data.map((price) => ({ key: price.model, cells: priceCells(price, canManage ? ask : null) }))}
        />
      )}
    </Card>
  );
}

function priceCells(price: OwnPrice, ask: Ask | null): ReactNode[] {
  const { model, from } = price;
  const cells = [
    <VisibleLine key="m" text={model} className="font-medium" />,
    rate(price.inputPerMillion),
    rate(price.outputPerMillion),
    rate(price.cachedInputPerMillion),
    rate(price.cacheWritePerMillion),
    from === null ? (
      <Absent key="f" why="Applies to all calls" text="all calls" />
    ) : (
      <span key="f" className="numbers whitespace-nowrap" title={from}>
        {formatUtcDate(from.slice(0, 10))}
      </span>
    ),
    <Moment key="u" ago iso={price.updatedAt} />,
  ];
  if (ask === null) return cells;
  const name = visibleText(model);
  return [
    ...cells,
    <span key="a" className="flex justify-end gap-1">
      <Button look="quiet" onClick={() => ask({ what: 'edit', price })} aria-label={`Edit price of ${name}`}>
        Edit
      </Button>
      <Button look="quiet-danger" onClick={() => ask({ what: 'delete', model })} aria-label={`Delete price of ${name}`}>
        Delete
      </Button>
    </span>,
  ];
}

function rate(value: number | null): ReactNode {
  if (value === null) return <Absent why="Same as input" text="as input" />;
  return <span className="numbers whitespace-nowrap">${formatExact(value)}</span>;
}
