import { Bot, BrainCircuit, Building2, FileCode2, Library, Server, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { NodeType } from '../../api/parts.ts';

/** Types of nodes in the order in which calls pass through them, with what the page shows for them. */
export const nodeTypes: ReadonlyArray<{ type: NodeType; label: string; one: string; icon: LucideIcon; color: string }> = [
  { type: 'service', label: 'Services', one: 'Service', icon: Server, color: 'var(--kind-chain)' },
  { type: 'agent', label: 'Agents', one: 'Agent', icon: Bot, color: 'var(--kind-agent)' },
  { type: 'tool', label: 'Tools', one: 'Tool', icon: Wrench, color: 'var(--kind-tool)' },
  { type: 'retriever', label: 'Retrievers', one: 'Retriever', icon: Library, color: 'var(--kind-retriever)' },
  { type: 'prompt', label: 'Prompts', one: 'Prompt', icon: FileCode2, color: 'var(--kind-evaluator)' },
  { type: 'model', label: 'Models', one: 'Model', icon: BrainCircuit, color: 'var(--kind-llm)' },
  { type: 'provider', label: 'Providers', one: 'Provider', icon: Building2, color: 'var(--kind-span)' },
];

const byType = new Map(nodeTypes.map((one) => [one.type, one]));

/** What the page shows for a type. */
export function typeOf(type: NodeType): (typeof nodeTypes)[number] {
  const known = byType.get(type);
  if (!known) throw new Error(`there is no type ${type}`);
  return known;
}
