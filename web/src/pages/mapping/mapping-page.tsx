import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from '../../design/segments.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { PastedBody } from './pasted-body.tsx';
import { RecordedSpan } from './recorded-span.tsx';
import type { MappingSearch } from './search.ts';

type Source = 'body' | 'span';
const sources: ReadonlyArray<{ value: Source; label: string }> = [
  { value: 'body', label: 'Paste a body' },
  { value: 'span', label: 'Recorded span' },
];

/** The mapping inspector: what is stored of a body or span, and which attribute filled which field. */
export default function MappingPage(): ReactNode {
  const { at } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/mapping' });
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>(search.trace === undefined ? 'body' : 'span');
  const onSearch = (next: MappingSearch) => void navigate({ ...pages.mappingInspector(at), search: next, replace: true });
  const choose = (next: Source) => {
    setSource(next);
    if (next === 'body') onSearch({});
  };
  return (
    <Page
      title="Mapping inspector"
      actions={<Segments<Source> label="Source" value={source} options={sources} onValue={choose} />}
    >
      {source === 'body' ? <PastedBody /> : <RecordedSpan search={search} onSearch={onSearch} />}
    </Page>
  );
}
