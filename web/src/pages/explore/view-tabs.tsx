import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChartColumn, ChevronDown, Link2, Lock, Pin } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useViewActions, viewsQuery } from '../../api/views.ts';
import type { SavedView } from '../../api/parts.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { deferred } from '../../design/deferred.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { Explore } from './use-explore.ts';
import { isChanged, searchOfView, viewStateOf } from './view-state.ts';
import type { ViewDialogProps } from './view-dialog.tsx';

const ViewDialog = deferred<ViewDialogProps>(() => import('./view-dialog.tsx'));

/** The saved views of the list as tabs, and what can be done with the one that is open. */
export function ViewTabs({ explore }: { explore: Explore }): ReactNode {
  const { at, projectId } = useProject();
  const { search, subject } = explore;
  const navigate = useNavigate();
  const { data: views = [] } = useQuery(viewsQuery(projectId, subject));
  const view = views.find(({ id }) => id === search.view) ?? null;
  const [naming, setNaming] = useState(false);
  const open = (next: SavedView | null) =>
    void navigate({
      ...pages.traces(at),
      search: next === null ? (subject === 'traces' ? {} : { on: subject }) : searchOfView(next, Date.now()),
    });
  const isAltered = view !== null && isChanged(search, view);
  const hasState = viewStateOf(search).filter !== '' || search.columns !== undefined || search.sort !== undefined;
  return (
    <div className="flex min-w-0 items-center gap-1 border-b border-line px-4">
      <div role="group" aria-label="Saved views" className="scroll-thin flex min-w-0 flex-1 items-stretch gap-1 overflow-x-auto">
        <Tab isCurrent={search.view === undefined} onOpen={() => open(null)}>
          All
        </Tab>
        {views.map((one) => (
          <Tab key={one.id} isCurrent={one.id === search.view} onOpen={() => open(one)}>
            {one.pinned && <Pin className="size-3 shrink-0 text-ink-faint" role="img" aria-label="pinned" />}
            {one.visibility === 'private' && <Lock className="size-3 shrink-0 text-ink-faint" role="img" aria-label="private" />}
            <bdi className="truncate">{visibleText(one.name)}</bdi>
            {one === view && isAltered && (
              <span className="text-accent" title="Changes are not saved">
                *<span className="sr-only"> changed</span>
              </span>
            )}
          </Tab>
        ))}
      </div>
      {subject !== 'sessions' && (
        <Button
          size="small"
          repeatable
          pressed={search.chart === '1'}
          title="Charts over time in place of the rows"
          onClick={() =>
            explore.change(search.chart === '1' ? { chart: undefined } : { chart: '1', peek: undefined, span: undefined })
          }
        >
          <ChartColumn aria-hidden />
          Chart
        </Button>
      )}
      {view === null ? (
        hasState && (
          <Button size="small" onClick={() => setNaming(true)}>
            Save as view
          </Button>
        )
      ) : (
        <ViewMenu
          {...{ explore, view, isAltered }}
          onReset={() => open(view)}
          onSaveAs={() => setNaming(true)}
          onGone={() => open(null)}
        />
      )}
      {naming && (
        <ViewDialog
          state={viewStateOf(search)}
          view={null}
          onClose={() => setNaming(false)}
          onSaved={(saved) => {
            setNaming(false);
            explore.change({ view: saved.id });
          }}
        />
      )}
    </div>
  );
}

function Tab({ isCurrent, onOpen, children }: { isCurrent: boolean; onOpen(): void; children: ReactNode }): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      onClick={onOpen}
      className={classNames(
        'flex h-8 max-w-56 shrink-0 items-center gap-1 border-b-2 px-2 text-sm font-medium',
        isCurrent ? 'border-accent text-ink' : 'border-transparent text-ink-soft hover:text-ink',
      )}
    >
      {children}
    </button>
  );
}

interface ViewMenuProps {
  explore: Explore;
  view: SavedView;
  isAltered: boolean;
  onReset(): void;
  onSaveAs(): void;
  onGone(): void;
}

function ViewMenu({ explore, view, isAltered, onReset, onSaveAs, onGone }: ViewMenuProps): ReactNode {
  const { projectId, can } = useProject();
  const say = useToast();
  const { change, remove } = useViewActions(projectId);
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const mayChange = view.visibility === 'private' || can('views:manage');
  const failed = (error: Error) => say(error.message, 'bad');
  const { on: _on, ...state } = viewStateOf(explore.search);
  const shareAction = {
    label: 'Share with project',
    onSelect: () =>
      change.mutate(
        { viewId: view.id, visibility: 'project' },
        { onSuccess: () => say('Everyone in the project can open this view'), onError: failed },
      ),
  };
  const copyLink = () => {
    const link = new URL(location.href);
    link.search = `?view=${view.id}`;
    void navigator.clipboard.writeText(link.href).then(() => {
      if (view.visibility === 'project') say('Link copied');
      else if (!can('views:manage')) say('Link copied. Only you can open this view.');
      else say('Link copied. Only you can open this view: share it with the project first.', 'good', shareAction);
    });
  };
  const save = () => change.mutate({ viewId: view.id, ...state }, { onSuccess: () => say('View saved'), onError: failed });
  return (
    <>
      {isAltered && mayChange && (
        <Button size="small" look="primary" busy={change.isPending} onClick={save}>
          Save
        </Button>
      )}
      <Button size="small" className="max-lg:hidden" onClick={copyLink}>
        <Link2 aria-hidden />
        Copy link
      </Button>
      <Menu
        align="end"
        trigger={
          <Button size="small">
            View
            <ChevronDown className="text-ink-faint" aria-hidden />
          </Button>
        }
      >
        {isAltered && <MenuItem onSelect={onReset}>Undo changes</MenuItem>}
        <MenuItem onSelect={onSaveAs}>Save as…</MenuItem>
        <MenuItem onSelect={copyLink}>Copy link</MenuItem>
        {mayChange && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => change.mutate({ viewId: view.id, pinned: !view.pinned }, { onError: failed })}>
              {view.pinned ? 'Unpin' : 'Pin'}
            </MenuItem>
            <MenuItem onSelect={() => setEditing(true)}>Name and visibility…</MenuItem>
            <MenuItem danger onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {isEditing && <ViewDialog state={null} view={view} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />}
      <Confirm
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete view?"
        description={`“${visibleText(view.name)}” is removed for everyone who sees it. Its records stay.`}
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(view.id, {
            onSuccess: () => {
              setDeleting(false);
              say('View deleted');
              onGone();
            },
          })
        }
      />
    </>
  );
}
