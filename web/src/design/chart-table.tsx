import type { ReactNode } from 'react';
import { formatExact } from '../format/number-format.ts';
import type { ChartMark, ChartModel } from './chart-model.ts';
import { Visible } from './visible.tsx';

const head = 'sticky top-0 bg-surface px-2 py-1 text-xs font-medium text-ink-faint';

interface ChartTableProps {
  model: ChartModel;
  marks: readonly ChartMark[];
  height: number;
}

/** The data of a chart as a table, with what happened meanwhile. */
export function ChartTable({ model, marks, height }: ChartTableProps): ReactNode {
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
            {marks.length > 0 && (
              <th scope="col" className={head}>
                Changes
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rowsOf(model).map(({ name, cells }, row) => (
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
                <td
                  key={columns[index]}
                  className="px-2 py-1 text-right"
                  title={cell === null ? undefined : formatExact(cell.value)}
                >
                  {cell === null ? '–' : cell.format(cell.value)}
                </td>
              ))}
              {marks.length > 0 && (
                <td className="px-2 py-1">
                  <MarkedEvents mark={marks.find(({ category }) => category === row)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MarkedEvents({ mark }: { mark: ChartMark | undefined }): ReactNode {
  return mark?.events.map(({ id, name, when, open }) => (
    <button
      key={id}
      type="button"
      title={when}
      className="block max-w-64 truncate text-left text-accent hover:underline"
      onClick={open}
    >
      <Visible text={name} />
    </button>
  ));
}

interface Cell {
  value: number;
  format(value: number): string;
}

/** The rows of the table; null for no data. */
function rowsOf(model: ChartModel): Array<{ name: string; cells: ReadonlyArray<Cell | null> }> {
  if (model.kind === 'scatter') {
    const { x, y, points } = model;
    return points.map((point) => ({
      name: point.name,
      cells: [
        { value: point.x, format: x.format },
        { value: point.y, format: y.format },
      ],
    }));
  }
  const { categories, series, format } = model;
  return categories.map((name, index) => ({
    name,
    cells: series.map(({ values }) => {
      const value = values[index];
      return value === null || value === undefined ? null : { value, format };
    }),
  }));
}
