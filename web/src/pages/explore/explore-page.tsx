import type { ReactNode } from 'react';
import { ListSkeleton } from '../../design/states.tsx';
import { ExploreSwitch } from '../../frame/explore-switch.tsx';
import { Page } from '../../frame/page.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { SessionList } from './session-list.tsx';
import { SpanList } from './span-list.tsx';
import { TraceList } from './trace-list.tsx';
import { ViewTabs } from './view-tabs.tsx';
import { useLinkedView } from './use-linked-view.ts';
import { useExplore } from './use-explore.ts';

const lists = { spans: SpanList, traces: TraceList, sessions: SessionList };

/** What was recorded: spans, traces or sessions, by one filter. */
export default function ExplorePage(): ReactNode {
  const explore = useExplore();
  const isOpening = useLinkedView(explore);
  const List = lists[explore.subject];
  return (
    <Page title="Explore" fill badges={<ExploreSwitch current={explore.subject} />} actions={<RangePicker />}>
      <ViewTabs explore={explore} />
      {isOpening ? <ListSkeleton /> : <List explore={explore} />}
    </Page>
  );
}
