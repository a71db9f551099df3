import { routes as alerts } from './pages/alerts/route.ts';
import { routes as annotation } from './pages/annotation/route.ts';
import { routes as changes } from './pages/changes/route.ts';
import { routes as compliance } from './pages/compliance/route.ts';
import { routes as datasets } from './pages/datasets/route.ts';
import { routes as environments } from './pages/environments/route.ts';
import { routes as evaluators } from './pages/evaluators/route.ts';
import { routes as explore } from './pages/explore/route.ts';
import { routes as graph } from './pages/graph/route.ts';
import { routes as guardrails } from './pages/guardrails/route.ts';
import { routes as home } from './pages/home/route.ts';
import { routes as incidents } from './pages/incidents/route.ts';
import { routes as invitation } from './pages/invitation/route.ts';
import { routes as mapping } from './pages/mapping/route.ts';
import { routes as modelLifecycle } from './pages/model-lifecycle/route.ts';
import { routes as model } from './pages/model/route.ts';
import { routes as models } from './pages/models/route.ts';
import { routes as outcomes } from './pages/outcomes/route.ts';
import { routes as overview } from './pages/overview/route.ts';
import { routes as policies } from './pages/policies/route.ts';
import { routes as promptEditor } from './pages/prompt-editor/route.ts';
import { routes as prompt } from './pages/prompt/route.ts';
import { routes as prompts } from './pages/prompts/route.ts';
import { routes as resetPassword } from './pages/reset-password/route.ts';
import { routes as session } from './pages/session/route.ts';
import { routes as settings } from './pages/settings/route.ts';
import { routes as signIn } from './pages/sign-in/route.ts';
import { routes as simulations } from './pages/simulations/route.ts';
import { routes as start } from './pages/start/route.ts';
import { routes as traceComparison } from './pages/trace-comparison/route.ts';
import { routes as trace, sharedRoutes } from './pages/trace/route.ts';
import { routes as user } from './pages/user/route.ts';
import { routes as users } from './pages/users/route.ts';

/** The pages outside of a project. */
export const outsidePages = [...signIn, ...invitation, ...resetPassword, ...sharedRoutes, ...home] as const;

/** The pages of a project. The sidebar and the command palette list them in this order, by group. */
export const projectPages = [
  ...overview,
  ...explore,
  ...trace,
  ...traceComparison,
  ...session,
  ...users,
  ...user,
  ...models,
  ...model,
  ...outcomes,
  ...graph,
  ...prompts,
  ...prompt,
  ...promptEditor,
  ...datasets,
  ...evaluators,
  ...annotation,
  ...simulations,
  ...alerts,
  ...incidents,
  ...modelLifecycle,
  ...changes,
  ...environments,
  ...guardrails,
  ...policies,
  ...compliance,
  ...start,
  ...mapping,
  ...settings,
] as const;
