import { useLocation } from '@tanstack/react-router';
import { Menu, Search, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '../design/button.tsx';
import { Visible } from '../design/visible.tsx';
import { MentionsMenu } from './mentions-menu.tsx';
import { useProject } from './project-context.ts';
import { SidebarContent } from './sidebar.tsx';

/** Windows that show the sidebar: the breakpoint `lg` of the style sheet. */
const wide = '(min-width: 64rem)';

/** The bar of narrow windows: opens the sidebar as a drawer, and the search. */
export function TopBar({ onSearch }: { onSearch(): void }): ReactNode {
  const { project } = useProject();
  const path = useLocation({ select: ({ pathname }) => pathname });
  // The path at which it was opened: a navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  useEffect(() => {
    const media = matchMedia(wide);
    const close = () => setOpenAt(null);
    media.addEventListener('change', close);
    return () => media.removeEventListener('change', close);
  }, []);
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 lg:hidden">
      <Dialog.Root open={openAt === path} onOpenChange={(open) => setOpenAt(open ? path : null)}>
        <Dialog.Trigger asChild>
          <IconButton label="Open menu">
            <Menu aria-hidden />
          </IconButton>
        </Dialog.Trigger>
        <Dialog.Portal>
          <div className="fixed inset-0 z-40 bg-black/40" aria-hidden />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r border-line bg-surface pt-9 shadow-high"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <SidebarContent
              onSearch={() => {
                setOpenAt(null);
                onSearch();
              }}
            />
            <Dialog.Close asChild>
              <IconButton label="Close menu" className="absolute top-1 right-1">
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <Visible text={project.name} className="min-w-0 flex-1 truncate font-semibold" />
      <MentionsMenu />
      <IconButton label="Go to…" onClick={onSearch}>
        <Search aria-hidden />
      </IconButton>
    </div>
  );
}
