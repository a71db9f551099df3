import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, Server } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { environmentsQuery } from '../api/environments.ts';
import { Button } from '../design/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { Visible } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import { environmentsOf, readFigures } from '../range.ts';
import { rememberEnvironments } from './last-environments.ts';
import { useProject } from './project-context.ts';

const maxShown = 30;

/** Chooses the environment of the page's figures, stored in the URL; links to other pages keep it. */
export function EnvironmentPicker(): ReactNode {
  const { projectId } = useProject();
  const chosen = environmentsOf(readFigures(useSearch({ strict: false })));
  const navigate = useNavigate();
  const { data } = useInfiniteQuery(environmentsQuery(projectId));
  const shown = JSON.stringify(chosen);
  useEffect(() => rememberEnvironments(projectId, JSON.parse(shown) as string[]), [projectId, shown]);
  const known = data?.pages.flatMap(({ environments, unregistered }) => [...environments, ...unregistered]) ?? [];
  const names = [...new Set([...known.map(({ name }) => name), ...chosen])].slice(0, maxShown);
  const choose = (environment: string | undefined) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, environment }) });
  if (names.length === 0) return null;
  const label = chosen.length === 0 ? 'All environments' : chosen.map(visibleText).join(', ');
  return (
    <Menu
      align="end"
      trigger={
        <Button aria-label={`Environment: ${label}`}>
          <Server aria-hidden />
          <span className="max-w-40 truncate">{label}</span>
          <ChevronDown className="text-ink-faint" aria-hidden />
        </Button>
      }
    >
      <MenuItem current={chosen.length === 0} onSelect={() => choose(undefined)}>
        All environments
      </MenuItem>
      <MenuSeparator />
      {names.map((name) => (
        <MenuItem key={name} current={chosen.includes(name)} onSelect={() => choose(name)}>
          <Visible text={name} className="truncate" />
        </MenuItem>
      ))}
    </Menu>
  );
}
