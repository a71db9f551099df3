import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/wire.ts';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { mappedFields } from './mapped-fields.ts';

/** Which attribute seems to have filled which field. */
export function MappingView({ span }: { span: TraceSpan }): ReactNode {
  const { mapped, unmapped } = useMemo(() => mappedFields(span), [span]);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-ink-faint">
        {span.source === 'otlp'
          ? 'Sent over OpenTelemetry. Attributes with the same value as a field are its likely sources; a field without one was worked out by the service.'
          : 'Sent to the native endpoint, which takes fields as they are named here.'}
      </p>
      <table className="w-full table-fixed text-left text-xs">
        <thead className="text-ink-faint">
          <tr>
            <th scope="col" className="w-[28%] py-1 font-medium">
              Field
            </th>
            <th scope="col" className="w-[32%] py-1 font-medium">
              Value
            </th>
            <th scope="col" className="py-1 font-medium">
              Attributes with this value
            </th>
          </tr>
        </thead>
        <tbody>
          {mapped.map(({ field, value, attributes }) => (
            <tr key={field} className="border-t border-line align-top">
              <td className="py-1 pr-2 font-mono">{field}</td>
              <td className="py-1 pr-2">
                <VisibleLine text={value} />
              </td>
              <td className="py-1 font-mono break-all">
                {attributes.length === 0 ? (
                  <span className="font-sans text-ink-faint">–</span>
                ) : (
                  attributes.map((key) => <Visible key={key} text={key} className="block" />)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unmapped.length > 0 && (
        <details>
          <summary className="text-xs font-medium text-ink-soft">
            {unmapped.length} attributes that fill no field shown here
          </summary>
          <ul className="mt-1 font-mono text-xs">
            {unmapped.map((key) => (
              <li key={key} className="break-all">
                <Visible text={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
