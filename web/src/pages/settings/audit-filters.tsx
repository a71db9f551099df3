import type { ReactNode } from 'react';
import { Input, Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { auditKinds, fromInput, localInput } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

/** The filters of the audit log. */
export function AuditFilters({
  search,
  onChange,
}: {
  search: AuditSearch;
  onChange(change: Partial<AuditSearch>): void;
}): ReactNode {
  const kind = search.kind ?? '';
  const known = kind === '' || auditKinds.some((one) => one === kind);
  const kinds = [...auditKinds, ...(known ? [] : [kind])];
  return (
    <div className="grid gap-2 border-b border-line p-3 sm:grid-cols-2 xl:grid-cols-[1fr_1.2fr_auto_auto]">
      <Select
        label="Kind"
        value={kind}
        options={[
          { value: '', label: 'All kinds' },
          ...kinds.map((value) => ({ value: value as string, label: visibleText(value) })),
        ]}
        onValue={(next) => onChange({ kind: next === '' ? undefined : next })}
      />
      <Input
        key={search.actor ?? ''}
        label="Actor"
        placeholder="Email, key name, ID or system"
        defaultValue={search.actor ?? ''}
        maxLength={254}
        onBlur={(event) => {
          const actor = event.target.value.trim();
          if (actor !== (search.actor ?? '')) onChange({ actor: actor === '' ? undefined : actor });
        }}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <Input
        label="From"
        type="datetime-local"
        value={localInput(search.from)}
        onChange={(event) => onChange({ from: fromInput(event.target.value) })}
      />
      <Input
        label="To"
        type="datetime-local"
        value={localInput(search.to)}
        onChange={(event) => onChange({ to: fromInput(event.target.value, true) })}
      />
    </div>
  );
}
