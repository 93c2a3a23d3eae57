import type { Rights } from '../gateway/gateway-client.ts';
import { changingTools } from './changing.ts';
import { readingTools } from './reading.ts';
import { getSend, sendDraft } from './sending.ts';
import type { Tool } from './tool.ts';

export type { Tool } from './tool.ts';
export { errorResult, toolResult } from './results.ts';

const tools: readonly Tool[] = [...readingTools, getSend, ...changingTools, sendDraft];
const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tools that its caller may call, always in the same order. */
export function toolsFor(rights: Rights): Tool[] {
  return tools.filter(
    (tool) => isOpen(tool, rights) && hasScope(tool, rights) && (tool.permission === undefined || rights.maySend),
  );
}

/** A tool that is there; one that its caller may not call is there all the same. */
export function openTool(name: string, rights: Rights): Tool | undefined {
  const tool = byName.get(name);
  return tool && isOpen(tool, rights) ? tool : undefined;
}

export function hasScope({ scope }: Tool, { scopes }: Rights): boolean {
  return scopes.includes(scope);
}

function isOpen({ feature }: Tool, { features }: Rights): boolean {
  return feature === undefined || features.includes(feature);
}
