import type { ReactNode } from 'react';
import type { ChartModel } from './chart-model.ts';
import { Visible } from './visible.tsx';

const head = 'sticky top-0 bg-surface px-2 py-1 text-xs font-medium text-ink-faint';

/** The data of a chart as a table. */
export function ChartTable({ model, height }: { model: ChartModel; height: number }): ReactNode {
  const columns = model.kind === 'scatter' ? [model.x.name, model.y.name] : model.series.map(({ name }) => name);
  return (
    <div className="scroll-thin overflow-auto" style={{ height }} tabIndex={0} role="group" aria-label={`${model.title}: table`}>
      <table className="w-full text-left" aria-label={model.title}>
        <thead>
          <tr>
            <th scope="col" className={head}>
              {model.kind === 'scatter' ? 'Name' : model.axis}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className={`${head} text-right`}>
                <Visible text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(model).map(([name, ...cells], row) => (
            <tr key={`${row} ${name}`} className="border-t border-line">
              <th scope="row" className="px-2 py-1 font-normal whitespace-nowrap">
                {model.kind !== 'scatter' && model.open ? (
                  <button
                    type="button"
                    aria-label={`View traces of ${name}`}
                    className="text-accent hover:underline"
                    onClick={() => model.open?.(row, null)}
                  >
                    {name}
                  </button>
                ) : (
                  <Visible text={name} />
                )}
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]} className="px-2 py-1 text-right">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowsOf(model: ChartModel): Array<[string, ...string[]]> {
  if (model.kind === 'scatter') {
    return model.points.map((point) => [point.name, model.x.format(point.x), model.y.format(point.y)]);
  }
  return model.categories.map((category, index) => [
    category,
    ...model.series.map(({ values }) => {
      const value = values[index];
      return value === null || value === undefined ? '–' : model.format(value);
    }),
  ]);
}
