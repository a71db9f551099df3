import { Binary, Bot, BrainCircuit, CircleDot, Gavel, Library, Link2, Shield, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { SpanKind } from '../api/parts.ts';

/** Icons of the span kinds. */
export const kindIcons: Readonly<Record<SpanKind, LucideIcon>> = {
  llm: BrainCircuit,
  embedding: Binary,
  agent: Bot,
  tool: Wrench,
  retriever: Library,
  chain: Link2,
  guardrail: Shield,
  evaluator: Gavel,
  span: CircleDot,
};

export const kindColor = (kind: SpanKind): string => `var(--kind-${kind})`;
