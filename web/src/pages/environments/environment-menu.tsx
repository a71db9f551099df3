import { Ellipsis, FileCode, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Environment } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { DetachDialog } from '../../frame/managed-by-code.tsx';
import { useProject } from '../../frame/project-context.ts';
import { DeleteEnvironment } from './delete-environment.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';

/** Actions of an environment: detach where code manages it, otherwise edit and delete. Hidden without permission. */
export function EnvironmentMenu({ environment }: { environment: Environment }): ReactNode {
  const { can } = useProject();
  const [asked, setAsked] = useState<'edit' | 'delete' | 'detach' | null>(null);
  const isCode = environment.managedBy === 'code';
  const close = () => setAsked(null);
  if (!can(isCode ? 'policy:apply' : 'environments:manage')) return null;
  const { id, name } = environment;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={`Actions for ${visibleText(name)}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        {isCode ? (
          <MenuItem onSelect={() => setAsked('detach')}>
            <FileCode aria-hidden />
            Detach from code
          </MenuItem>
        ) : (
          <>
            <MenuItem onSelect={() => setAsked('edit')}>
              <Pencil aria-hidden />
              Edit description
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setAsked('delete')}>
              <Trash2 aria-hidden />
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {asked === 'edit' && <EnvironmentDialog environment={environment} onClose={close} />}
      {asked === 'delete' && <DeleteEnvironment environment={environment} onClose={close} />}
      <DetachDialog record={{ id, name, kind: 'environment' }} open={asked === 'detach'} onClose={close} />
    </>
  );
}
