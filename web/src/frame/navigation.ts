import {
  Activity,
  Boxes,
  Database,
  Gauge,
  LayoutDashboard,
  ListChecks,
  ListTree,
  MessagesSquare,
  PenLine,
  Settings,
  SquarePen,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { pages } from '../paths.ts';
import type { ProjectPath } from '../paths.ts';

/** A page that the sidebar and the command palette lead to. */
export interface Destination {
  title: string;
  icon: LucideIcon;
  link: (
    at: ProjectPath,
  ) => ReturnType<
    (typeof pages)[
      | 'overview'
      | 'traces'
      | 'sessions'
      | 'models'
      | 'prompts'
      | 'start'
      | 'evaluators'
      | 'evaluations'
      | 'annotation'
      | 'settings'
      | 'datasets']
  >;
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
  { title: 'Prompts', icon: SquarePen, link: pages.prompts, key: 'p' },
  { title: 'Datasets', icon: Database, link: pages.datasets, key: 'd' },
  { title: 'Evaluators', icon: Gauge, link: pages.evaluators, key: 'e' },
  { title: 'Evaluations', icon: ListChecks, link: pages.evaluations, key: 'r' },
  { title: 'Annotation', icon: PenLine, link: pages.annotation, key: 'a' },
  { title: 'Send data', icon: Activity, link: pages.start, aside: true },
  { title: 'Settings', icon: Settings, link: (at) => pages.settings(at, 'keys'), key: ',' },
];
