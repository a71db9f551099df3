import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Scenario } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DeleteScenario } from './delete-scenario.tsx';
import { StartDialog } from './start-dialog.tsx';

/** Actions of a scenario in the list. */
export function ScenarioMenu({ scenario }: { scenario: Scenario }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'start' | 'delete' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={`Actions for ${visibleText(scenario.name)}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked('start')}>
          <Play aria-hidden />
          Start batch run
        </MenuItem>
        <MenuItem onSelect={() => void navigate(pages.scenario(at, scenario.id))}>
          <Pencil aria-hidden />
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setAsked('delete')}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </Menu>
      {asked === 'start' && <StartDialog scenario={scenario} onClose={close} />}
      {asked === 'delete' && <DeleteScenario scenario={scenario} onClose={close} />}
    </>
  );
}
