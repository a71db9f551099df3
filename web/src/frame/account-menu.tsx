import { useNavigate } from '@tanstack/react-router';
import { CircleUser, KeyRound, LogOut } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSignOut } from '../api/session.ts';
import { Badge } from '../design/badge.tsx';
import { deferred } from '../design/deferred.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../design/menu.tsx';
import { useToast } from '../design/toast.tsx';
import { Visible } from '../design/visible.tsx';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';

const PasswordDialog = deferred(() => import('./password-dialog.tsx'));

/** The signed-in user, their role, changing the password, and signing out. */
export function AccountMenu(): ReactNode {
  const { user, organization } = useProject();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const say = useToast();
  const [changing, setChanging] = useState(false);
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: () => void navigate(pages.signIn()),
      onError: (error) => say(error.message, 'bad'),
    });
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
            aria-label={`Account: ${user.name}`}
          >
            <CircleUser className="size-4 shrink-0 text-ink-faint" aria-hidden />
            <Visible text={user.name} className="truncate" />
          </button>
        }
      >
        <MenuLabel>
          <Visible text={user.email} /> <Badge>{organization.role}</Badge>
        </MenuLabel>
        <MenuSeparator />
        <MenuItem onSelect={() => setChanging(true)}>
          <KeyRound aria-hidden />
          Change password
        </MenuItem>
        <MenuItem onSelect={leave}>
          <LogOut aria-hidden />
          Sign out
        </MenuItem>
      </Menu>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}
