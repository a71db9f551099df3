import type { AnyRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { pages } from '../paths.ts';

/** The groups of the sidebar, in order. */
export const navigationGroups = ['Observe', 'Improve', 'Operate', 'Govern'] as const;

/** How a page is listed in the sidebar and the command palette: `staticData.navigation` of its route. */
export interface Navigation {
  /** Its group in the sidebar; below all groups without one. */
  group?: (typeof navigationGroups)[number];
  title: string;
  icon: LucideIcon;
  /** The second key after `g`. */
  key?: string;
  /** Beside the title in the sidebar. */
  badge?: ComponentType;
  /** Beginnings of paths below the project, of pages that belong to it: `traces/`. */
  holds?: readonly string[];
  /** Not in the sidebar. */
  aside?: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    navigation?: Navigation;
  }
}

/** A page listed in the sidebar and the command palette. */
export interface Destination extends Navigation {
  /** The path of a page without parameters of its own; `overview` stands for all of them. */
  to: ReturnType<typeof pages.overview>['to'];
}

/** Every listed page, in the order of the routes. */
export function destinationsOf({ routesById }: Pick<AnyRouter, 'routesById'>): Destination[] {
  return Object.values<AnyRouter['routeTree']>(routesById).flatMap(({ options, fullPath }) => {
    const navigation: Navigation | undefined = options.staticData?.navigation;
    return navigation ? [{ ...navigation, to: fullPath as Destination['to'] }] : [];
  });
}
