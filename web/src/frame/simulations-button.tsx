import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import type { FilterSearch } from '../trace-filters.ts';

interface SimulationsButtonProps {
  search: FilterSearch;
  onChange(change: Pick<FilterSearch, 'simulated'>): void;
}

/** Switches the traces of simulations on and off in a list, which leaves them out by default. */
export function SimulationsButton({ search, onChange }: SimulationsButtonProps): ReactNode {
  const shown = search.simulated === '1';
  return (
    <Button
      repeatable
      pressed={shown}
      title="Include traces of simulations"
      onClick={() => onChange({ simulated: shown ? undefined : '1' })}
    >
      <FlaskConical aria-hidden />
      Simulations
    </Button>
  );
}
