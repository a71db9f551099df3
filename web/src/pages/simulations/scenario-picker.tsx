import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { scenarioQuery, scenariosQuery } from '../../api/simulations.ts';
import { Picker, PickerList } from '../../design/picker.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

const all = 'All scenarios';

/** A choice among all scenarios of the project, or none. */
export function ScenarioPicker({ value, onValue }: { value: string; onValue(id: string): void }): ReactNode {
  const { projectId } = useProject();
  const chosen = useQuery({ ...scenarioQuery(projectId, value), enabled: value !== '' });
  const shown = chosen.data ? <VisibleLine text={chosen.data.name} /> : chosen.error ? 'Deleted scenario' : '…';
  return (
    <Picker label="Scenario" className="w-56" shown={value === '' ? all : shown}>
      {(close) => (
        <Scenarios
          value={value}
          onChoose={(id) => {
            onValue(id);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function Scenarios({ value, onChoose }: { value: string; onChoose(id: string): void }): ReactNode {
  const { projectId } = useProject();
  const [text, setText] = useState('');
  const query = useInfiniteQuery(scenariosQuery(projectId, text === '' ? {} : { q: text }));
  const scenarios = query.data?.pages.flatMap((page) => page.scenarios) ?? [];
  return (
    <PickerList
      label="Scenario"
      value={value}
      none={all}
      search={{ text, onSearch: setText }}
      pages={query}
      options={scenarios.map(({ id, name }) => ({ value: id, label: <VisibleLine text={name} /> }))}
      onChoose={onChoose}
    />
  );
}
