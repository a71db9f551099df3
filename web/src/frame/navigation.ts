import { Activity, Boxes, LayoutDashboard, ListTree, MessagesSquare, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { pages } from '../paths.ts';
import type { ProjectPath } from '../paths.ts';

/** A page that the sidebar and the command palette lead to. */
export interface Destination {
  title: string;
  icon: LucideIcon;
  link: (at: ProjectPath) => ReturnType<(typeof pages)['overview' | 'traces' | 'sessions' | 'models' | 'start' | 'settings']>;
  /** The second key after `g`. */
  key?: string;
  /** Not in the sidebar. */
  aside?: boolean;
}

/** Every page without a thing of its own, in the order of the sidebar. */
export const destinations: readonly Destination[] = [
  { title: 'Overview', icon: LayoutDashboard, link: pages.overview, key: 'o' },
  { title: 'Traces', icon: ListTree, link: pages.traces, key: 't' },
  { title: 'Sessions', icon: MessagesSquare, link: pages.sessions, key: 's' },
  { title: 'Models', icon: Boxes, link: pages.models, key: 'm' },
  { title: 'Send data', icon: Activity, link: pages.start, aside: true },
  { title: 'Settings', icon: Settings, link: (at) => pages.settings(at, 'keys'), key: ',' },
];
