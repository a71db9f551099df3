import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { changesQuery } from '../api/changes.ts';
import type { Change } from '../api/service.ts';
import { timelineMarks } from '../content/change-marks.ts';
import type { ChartMark } from '../design/chart-model.ts';
import { pages } from '../paths.ts';
import { rangeRequest } from '../range.ts';
import type { RangeSearch, Timeline } from '../range.ts';
import { useProject } from './project-context.ts';

/** The changes of a page's time range, for the marks of its charts. */
export interface RangeChanges {
  /** Newest first; empty while they load, and if they cannot be loaded: charts are of use without marks. */
  changes: readonly Change[];
  isPending: boolean;
  /** They could not be loaded. */
  isMissing: boolean;
  /** There are older ones in the range. */
  isCut: boolean;
  /** Opens the page of a change. */
  open(change: Change): void;
}

const none: readonly Change[] = [];

/** Loads the changes of a time range with one request. */
export function useRangeChanges(range: RangeSearch, nowMs: number): RangeChanges {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { data, isPending, isLoadingError } = useInfiniteQuery(changesQuery(projectId, rangeRequest(range, nowMs)));
  const page = data?.pages[0];
  const open = useCallback((change: Change) => void navigate(pages.change(at, change.id)), [at, navigate]);
  const isCut = page !== undefined && page.nextCursor !== null;
  return { changes: page?.changes ?? none, isPending, isMissing: isLoadingError, isCut, open };
}

/** The marks of changes on the charts of a timeline. */
export function useTimelineMarks({ changes, open }: RangeChanges, timeline: Timeline): readonly ChartMark[] {
  return useMemo(() => timelineMarks(changes, timeline, open), [changes, timeline, open]);
}
