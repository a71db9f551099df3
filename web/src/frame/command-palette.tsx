import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  Bot,
  Boxes,
  Database,
  FolderOpen,
  Gauge,
  ListTree,
  MessagesSquare,
  Search,
  ShieldCheck,
  SquarePen,
  UserRound,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { datasetsQuery } from '../api/datasets.ts';
import { evaluatorsQuery } from '../api/evaluators.ts';
import { guardrailsQuery } from '../api/guardrails.ts';
import { modelsQuery, overviewQuery } from '../api/models.ts';
import { promptsNamedQuery } from '../api/prompts.ts';
import { sessionQuery } from '../api/session.ts';
import { sessionsQuery } from '../api/traces.ts';
import { useFocusReturn } from '../design/use-focus-return.ts';
import { visibleText } from '../format/visible-text.ts';
import { pages } from '../paths.ts';
import { destinationsOf } from './navigation.ts';
import { lookUp, paletteRank } from './palette-rank.ts';
import { useProject } from './project-context.ts';

const traceIdPattern = /^[A-Za-z0-9._:-]{1,128}$/;
const maxModels = 20;
const maxSessions = 8;

interface EntryProps {
  value: string;
  icon: LucideIcon;
  note?: string;
  onSelect(): void;
  children: ReactNode;
}

function Entry({ value, icon: Icon, note, onSelect, children }: EntryProps): ReactNode {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-accent-soft"
    >
      <Icon className="size-4 shrink-0 text-ink-faint" aria-hidden />
      <bdi className="truncate">{children}</bdi>
      {note !== undefined && <span className="ml-auto shrink-0 text-xs text-ink-faint">{note}</span>}
    </Command.Item>
  );
}

/** Opens a page or a record of the project, another project, or searches traces. */
export default function CommandPalette({ onClose }: { onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const returnFocus = useFocusReturn();
  const [text, setText] = useState('');
  const session = useQuery(sessionQuery);
  const models = useQuery(modelsQuery(projectId, { range: '30d' }));
  // Reset the selection once the models have loaded: one of them may be the best match.
  const [chosen, setChosen] = useState('');
  const [withModels, setWithModels] = useState(models.isSuccess);
  if (withModels !== models.isSuccess) {
    setWithModels(models.isSuccess);
    setChosen('');
  }
  const router = useRouter();
  const go = (open: () => Promise<void>) => () => {
    onClose();
    void open();
  };
  const typed = text.trim();
  const prompts = useQuery({ ...promptsNamedQuery(projectId, useDeferredValue(typed)), placeholderData: keepPreviousData });
  const datasets = useInfiniteQuery(datasetsQuery(projectId));
  const evaluators = useQuery(evaluatorsQuery(projectId));
  const guardrails = useQuery(guardrailsQuery(projectId));
  // The query of the overview, so that its cache is shared.
  const overview = useQuery({ ...overviewQuery(projectId, { range: '30d' }), enabled: typed !== '' });
  const sought = useDeferredValue(typed);
  const sessions = useInfiniteQuery({
    ...sessionsQuery(projectId, { q: sought, range: '90d' }),
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  });
  const found = (sessions.data?.pages[0]?.sessions ?? []).slice(0, maxSessions);
  const isSought = (userId: string | null) => userId?.toLowerCase().includes(sought.toLowerCase()) === true;
  const users = [...new Set(found.flatMap(({ userId }) => (userId !== null && isSought(userId) ? [userId] : [])))];
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <div className="fixed inset-0 z-40 bg-black/40" aria-hidden />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed top-[14vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-high"
        >
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <Command label="Go to" loop filter={paletteRank} value={chosen} onValueChange={setChosen}>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Go to page, record, project or ID"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-ink-faint"
            />
            <Command.List className="scroll-thin max-h-[50vh] overflow-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-faint">
              <Command.Group heading="Pages">
                {destinationsOf(router).map(({ title, icon, to, key }) => (
                  <Entry
                    key={title}
                    value={title}
                    icon={icon}
                    onSelect={go(() => navigate({ to, params: at }))}
                    {...(key === undefined ? {} : { note: `g ${key}` })}
                  >
                    {title}
                  </Entry>
                ))}
              </Command.Group>
              <Command.Group heading="Models">
                {(models.data?.models ?? []).slice(0, maxModels).map(({ model, provider }) => (
                  <Entry
                    key={model}
                    value={`model ${model}`}
                    icon={Boxes}
                    note={visibleText(provider ?? '')}
                    onSelect={go(() => navigate(pages.model(at, model)))}
                  >
                    {visibleText(model)}
                  </Entry>
                ))}
              </Command.Group>
              <Command.Group heading="Prompts">
                {(prompts.data?.prompts ?? []).map(({ name, folder }) => (
                  <Entry
                    key={name}
                    value={`prompt ${name}`}
                    icon={SquarePen}
                    note={visibleText(folder ?? '')}
                    onSelect={go(() => navigate(pages.prompt(at, name)))}
                  >
                    {visibleText(name)}
                  </Entry>
                ))}
              </Command.Group>
              <Command.Group heading="Datasets">
                {(datasets.data?.pages[0]?.datasets ?? []).map(({ id, name }) => (
                  <Entry
                    key={id}
                    value={`dataset ${name} ${id}`}
                    icon={Database}
                    onSelect={go(() => navigate(pages.dataset(at, id)))}
                  >
                    {visibleText(name)}
                  </Entry>
                ))}
              </Command.Group>
              <Command.Group heading="Evaluators">
                {(evaluators.data?.evaluators ?? []).map(({ id, slug, name }) => (
                  <Entry
                    key={id}
                    value={`evaluator ${slug} ${name ?? ''}`}
                    icon={Gauge}
                    note={slug}
                    onSelect={go(() => navigate(pages.evaluator(at, slug)))}
                  >
                    {visibleText(name ?? slug)}
                  </Entry>
                ))}
              </Command.Group>
              <Command.Group heading="Guardrails">
                {(guardrails.data?.guardrails ?? []).map(({ id, slug, name }) => (
                  <Entry
                    key={id}
                    value={`guardrail ${slug} ${name}`}
                    icon={ShieldCheck}
                    note={slug}
                    onSelect={go(() => navigate(pages.guardrail(at, slug)))}
                  >
                    {visibleText(name)}
                  </Entry>
                ))}
              </Command.Group>
              {typed !== '' && (
                <Command.Group heading="Agents">
                  {(overview.data?.agents ?? []).map(({ agent_name: name }) => (
                    <Entry
                      key={name}
                      value={`agent ${name}`}
                      icon={Bot}
                      note="traces"
                      onSelect={go(() => navigate({ ...pages.traces(at), search: { agent: name } }))}
                    >
                      {visibleText(name)}
                    </Entry>
                  ))}
                </Command.Group>
              )}
              {typed !== '' && (
                <Command.Group heading="Sessions and users">
                  {found.map(({ sessionId }) => (
                    <Entry
                      key={sessionId}
                      value={`session ${sessionId} ${typed}`}
                      icon={MessagesSquare}
                      note="session"
                      onSelect={go(() => navigate(pages.session(at, sessionId)))}
                    >
                      {visibleText(sessionId)}
                    </Entry>
                  ))}
                  {users.map((userId) => (
                    <Entry
                      key={`user ${userId}`}
                      value={`user ${userId} ${typed}`}
                      icon={UserRound}
                      note="user"
                      onSelect={go(() => navigate(pages.user(at, userId)))}
                    >
                      {visibleText(userId)}
                    </Entry>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading="Projects">
                {(session.data?.organizations ?? []).flatMap((organization) =>
                  organization.projects.map((project) => (
                    <Entry
                      key={project.id}
                      value={`project ${organization.slug}/${project.slug} ${project.name}`}
                      icon={FolderOpen}
                      note={visibleText(organization.name)}
                      onSelect={go(() => navigate(pages.overview({ org: organization.slug, project: project.slug })))}
                    >
                      {visibleText(project.name)}
                    </Entry>
                  )),
                )}
              </Command.Group>
              {typed !== '' && (
                <Command.Group heading="Traces">
                  {traceIdPattern.test(typed) && (
                    <Entry
                      value={`${lookUp}trace ${typed}`}
                      icon={ListTree}
                      note="by ID"
                      onSelect={go(() => navigate(pages.trace(at, typed)))}
                    >
                      Trace {typed}
                    </Entry>
                  )}
                  {typed.length >= 8 && traceIdPattern.test(typed) && (
                    <Entry
                      value={`${lookUp}span ${typed}`}
                      icon={ListTree}
                      note="by ID"
                      onSelect={go(() => navigate({ ...pages.traces(at), search: { q: typed, range: '90d' } }))}
                    >
                      Find span {typed}
                    </Entry>
                  )}
                  <Entry
                    value={`${lookUp}text ${typed}`}
                    icon={Search}
                    onSelect={go(() => navigate({ ...pages.traces(at), search: { q: typed } }))}
                  >
                    Search traces for “{visibleText(typed)}”
                  </Entry>
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
